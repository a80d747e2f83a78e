package ibcheck

import (
	"encoding/hex"
	"fmt"
	"hash"
	"hash/fnv"
	"math/big"
	"reflect"
	"strconv"
	"strings"

	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec"
)

// A replay token names one run of one scenario: the number of actions, a
// fingerprint of the scenario, and which of the possible actions was taken at
// each state, as the digits of one number whose bases are how many there were.

// token returns the token of a run.
func token(m *spec.Model, steps []explore.Step, print string) (string, error) {
	out := explore.NewSuccessors(m)
	digits, bases := make([]int64, 0, len(steps)), make([]int64, 0, len(steps))
	for i := 1; i < len(steps); i++ {
		if err := out.Expand(m, steps[i-1].State); err != nil {
			return "", err
		}
		k := out.Index(steps[i].Action)
		if k < 0 {
			return "", fmt.Errorf("action %d of the trace cannot be taken again", i)
		}
		digits, bases = append(digits, int64(k)), append(bases, int64(out.Len()))
	}
	x := new(big.Int)
	for i := len(digits) - 1; i >= 0; i-- {
		x.Mul(x, big.NewInt(bases[i])).Add(x, big.NewInt(digits[i]))
	}
	return fmt.Sprintf("%d-%s-%s", len(digits), print, x.Text(36)), nil
}

// A parsedToken is a token taken apart.
type parsedToken struct {
	text    string
	actions int
	print   string
	choices *big.Int
}

// parseToken reads a token; whether its run exists only a model can say.
func parseToken(text string) (parsedToken, error) {
	t := parsedToken{text: text}
	parts := strings.Split(text, "-")
	if len(parts) != 3 {
		return t, t.bad()
	}
	var err error
	var ok bool
	t.actions, err = strconv.Atoi(parts[0])
	t.print = parts[1]
	t.choices, ok = new(big.Int).SetString(parts[2], 36)
	if err != nil || !ok || t.actions < 0 || t.actions > 1<<20 || t.choices.Sign() < 0 || len(t.print) != printDigits {
		return t, t.bad()
	}
	return t, nil
}

func (t parsedToken) bad() error {
	return fmt.Errorf("%q is not a replay token (NUMBER-FINGERPRINT-CHOICES, as check, orders and -o json print)", t.text)
}

// take takes the run of a token again, as far as the model lets it.
func (t parsedToken) take(m *spec.Model) ([]explore.Step, error) {
	x := new(big.Int).Set(t.choices)
	out := explore.NewSuccessors(m)
	if err := out.Start(m); err != nil {
		return nil, err
	}
	_, state, _ := out.At(0)
	steps := []explore.Step{{State: append([]byte(nil), state...)}}
	ended := false
	for range t.actions {
		if err := out.Expand(m, steps[len(steps)-1].State); err != nil {
			return nil, err
		}
		if ended || out.Len() == 0 {
			return nil, fmt.Errorf("the token is longer than its run: nothing can follow action %d", len(steps)-1)
		}
		k := new(big.Int)
		x.DivMod(x, big.NewInt(int64(out.Len())), k)
		i := int(k.Int64())
		a, state, _ := out.At(i)
		ended = out.Ended(i)
		steps = append(steps, explore.Step{Action: a, State: append([]byte(nil), state...)})
	}
	if x.Sign() != 0 {
		return nil, t.bad()
	}
	return steps, nil
}

// printDigits is the length of a fingerprint.
const printDigits = 6

// fingerprint names what a token depends on: the scenario as the model takes
// it, with its dials and budgets. Where things stand in the file, what is said
// about them and what is asked of the runs make no difference.
func fingerprint(sc *spec.Scenario) string {
	bare := *sc
	bare.Doc, bare.File, bare.Refs, bare.Clauses, bare.Tags, bare.ParamText = "", "", nil, nil, nil, nil
	bare.Asserts, bare.Reaches = nil, nil
	dials, err := spec.ResolveDials(sc.Profile, sc.Dials)
	if err == nil { // else it cannot be compiled either
		for _, d := range spec.Dials {
			if dials[d.Name] == d.IBA {
				delete(dials, d.Name)
			}
		}
		bare.Profile, bare.Dials = "", dials
	}
	h := fnv.New64a()
	digest(h, reflect.ValueOf(bare))
	return hex.EncodeToString(h.Sum(nil))[:printDigits]
}

// digest writes a value into a hash, all of it but the positions.
func digest(h hash.Hash, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[spec.Pos]() {
			return
		}
		fmt.Fprint(h, "{")
		for i := range v.NumField() {
			digest(h, v.Field(i))
		}
		fmt.Fprint(h, "}")
	case reflect.Slice:
		fmt.Fprintf(h, "[%d", v.Len())
		for i := range v.Len() {
			digest(h, v.Index(i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			fmt.Fprint(h, "-")
			return
		}
		digest(h, v.Elem())
	default: // numbers, strings, truths, and maps, which are printed by key
		fmt.Fprintf(h, " %#v", v)
	}
}
