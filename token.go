package ibcheck

import (
	"fmt"
	"hash/fnv"
	"math/big"
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

// replayToken takes the run of a token again.
func replayToken(m *spec.Model, tok, print string) ([]explore.Step, error) {
	parts := strings.Split(tok, "-")
	bad := fmt.Errorf("%q is not a replay token (NUMBER-FINGERPRINT-CHOICES, as check -o json prints)", tok)
	if len(parts) != 3 {
		return nil, bad
	}
	n, err := strconv.Atoi(parts[0])
	x, ok := new(big.Int).SetString(parts[2], 36)
	if err != nil || !ok || n < 0 || n > 1<<20 || x.Sign() < 0 {
		return nil, bad
	}
	if parts[1] != print {
		return nil, fmt.Errorf("the token is stale: it belongs to scenario %s, this one is %s", parts[1], print)
	}
	out := explore.NewSuccessors(m)
	if err := out.Start(m); err != nil {
		return nil, err
	}
	_, state, _ := out.At(0)
	steps := []explore.Step{{State: append([]byte(nil), state...)}}
	for range n {
		if err := out.Expand(m, steps[len(steps)-1].State); err != nil {
			return nil, err
		}
		if out.Len() == 0 {
			return nil, fmt.Errorf("the token is longer than its run: nothing can follow action %d", len(steps)-1)
		}
		k := new(big.Int)
		x.DivMod(x, big.NewInt(int64(out.Len())), k)
		a, state, _ := out.At(int(k.Int64()))
		steps = append(steps, explore.Step{Action: a, State: append([]byte(nil), state...)})
	}
	if x.Sign() != 0 {
		return nil, bad
	}
	return steps, nil
}

// fingerprint names what a token depends on: the scenario with its dials,
// budgets and params, and the sizes that its packed states have.
func fingerprint(m *spec.Model) string {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s %d", m.Digest(), m.Width())
	return fmt.Sprintf("%06x", h.Sum32()&0xffffff)
}
