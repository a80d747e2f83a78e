package spec

import (
	"bytes"
	"fmt"
	"reflect"
)

// CheckPacking takes every step out of a packed state and checks that packing
// loses nothing and that packing what changed gives the same bytes as packing
// all of it.
func (m *Model) CheckPacking(state []byte) error {
	s, t := m.Unpack(state), m.newState()
	packed := make([]byte, m.width)
	if m.pack(s, packed); !bytes.Equal(packed, state) {
		return fmt.Errorf("state %x unpacked and packed again is %x", state, packed)
	}
	var code coder
	for r := range ruleTable {
		var list choices
		ruleTable[r].choices(m, s, &list)
		for _, c := range list.list {
			t.copyFrom(s)
			ruleTable[r].apply(m, t, c)
			if t.Env.Bad.IsBound() {
				continue // what does not fit is not packed
			}
			clear(packed)
			m.pack(t, packed)
			if u := m.Unpack(packed); !reflect.DeepEqual(t, u) {
				return fmt.Errorf("%s in state %x: packed and unpacked, %s", m.ActionWords(s, actionOf(r, c)), state, difference(t, u))
			}
			again := bytes.Clone(state)
			if m.repack(s, t, again, &code); !bytes.Equal(again, packed) {
				return fmt.Errorf("%s in state %x: packing what changed gives %x, packing all %x", m.ActionWords(s, actionOf(r, c)), state, again, packed)
			}
		}
	}
	return nil
}

// difference names the first part of a state in which two states differ.
func difference(a, b *State) string {
	return differs("", reflect.ValueOf(*a), reflect.ValueOf(*b))
}

func differs(name string, x, y reflect.Value) string {
	switch x.Kind() {
	case reflect.Struct:
		for i := range x.NumField() {
			if d := differs(name+"."+x.Type().Field(i).Name, x.Field(i), y.Field(i)); d != "" {
				return d
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range x.Len() {
			if d := differs(fmt.Sprintf("%s[%d]", name, i), x.Index(i), y.Index(i)); d != "" {
				return d
			}
		}
	default:
		if !x.Equal(y) {
			return fmt.Sprintf("%s is %v and then %v", name, x, y)
		}
	}
	return ""
}
