package traces

import (
	"encoding/xml"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

func svgText(t *testing.T, l *Ladder, s Style) string {
	t.Helper()
	var b strings.Builder
	if err := l.WriteSVG(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSVG(t *testing.T) {
	for _, f := range fixtures {
		golden(t, f.name+".svg", svgText(t, Layout(f.run(), f.opt), Style{}))
	}
}

// TestSVGRandom: every drawing is well formed, has every row once, and nothing
// of it lies outside its frame.
func TestSVGRandom(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		run, opt := randomRun(r, 1+r.IntN(50)), randomOptions(r)
		l := Layout(run, opt)
		rows, err := inspectSVG(svgText(t, l, Style{}))
		if err != nil {
			t.Fatalf("run %d: %v", seed, err)
		}
		if rows != len(l.rows) {
			t.Fatalf("run %d: %d rows drawn, want %d", seed, rows, len(l.rows))
		}
		if rows, err = inspectSVG(svgText(t, l, Style{NoEpilogue: true})); err != nil || rows != l.broken {
			t.Fatalf("run %d: %d rows without epilogue, want %d, error %v", seed, rows, l.broken, err)
		}
	}
}

// inspectSVG reads a drawing and counts its rows.
func inspectSVG(text string) (rows int, err error) {
	var right, bottom float64
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return 0, err
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		at := map[string]string{}
		for _, a := range e.Attr {
			at[a.Name.Local] = a.Value
		}
		switch {
		case e.Name.Local == "svg":
			right, _ = strconv.ParseFloat(at["width"], 64)
			bottom, _ = strconv.ParseFloat(at["height"], 64)
		case e.Name.Local == "g":
			rows++
		case e.Name.Local == "text":
			x, _ := strconv.ParseFloat(at["x"], 64)
			y, _ := strconv.ParseFloat(at["y"], 64)
			if x < 0 || x > right || y < 0 || y > bottom {
				return 0, fmt.Errorf("text at %v, %v lies outside of %v by %v", x, y, right, bottom)
			}
		}
	}
}
