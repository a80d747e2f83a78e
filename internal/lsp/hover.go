package lsp

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// hover tells what stands at the cursor: of a word its meaning, of a name what
// it stands for, of a property its last verdict too.
func (s *server) hover(p *protocol.HoverParams) (any, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	spot, ok := d.file.At(d.place(p.Position))
	if !ok {
		return nil, nil
	}
	text := ""
	if spot.Row != nil {
		text = explained(spot.Row)
	} else {
		text = described(d.file, spot.Name.Thing)
		if spot.Name.Thing.Kind == "property" {
			text += d.verdicts.told(spot.Name.Thing.Name, d.text)
		}
	}
	r := span(lines(d.text), spot.Pos, spot.Len)
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.Markdown, Value: text}, Range: &r}, nil
}

// explained writes what a word of the language means: how it is written, its
// names in libibverbs and the kernel, one line, the clause.
func explained(r *scenario.Row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "```ibl\n%s\n```\n", strings.TrimSpace(r.Word+" "+r.Usage))
	user, kernel := r.LongNames()
	switch {
	case user != "" && kernel != "":
		fmt.Fprintf(&b, "`%s`, `%s`\n\n", user, kernel)
	case user+kernel != "":
		fmt.Fprintf(&b, "`%s`\n\n", user+kernel)
	}
	b.WriteString(r.Doc)
	if lo, hi, ok := r.Bounds(); ok {
		fmt.Fprintf(&b, "; %d to %d", lo, hi)
	}
	if r.Fact != "" {
		fmt.Fprintf(&b, " (%s)", r.Fact)
	}
	b.WriteString("\n")
	for i := range spec.Dials {
		if spec.Dials[i].Name == r.Word && r.In&scenario.InAssume != 0 {
			dial(&b, &spec.Dials[i])
		}
	}
	for i := range spec.Profiles {
		if spec.Profiles[i].Name == r.Word && r.In&scenario.AsProfile != 0 {
			profile(&b, &spec.Profiles[i])
		}
	}
	return b.String()
}

// dial writes the values of a dial, and which profile has which.
func dial(b *strings.Builder, d *spec.Dial) {
	b.WriteString("\n")
	for _, v := range d.Values {
		fmt.Fprintf(b, "- `%s`", v)
		var of []string
		for i := range spec.Profiles {
			if name := spec.Profiles[i].Name; valueIn(name, d) == v {
				of = append(of, name)
			}
		}
		if len(of) > 0 {
			fmt.Fprintf(b, ": in %s", strings.Join(of, ", "))
		}
		b.WriteString("\n")
	}
	if d.Number {
		b.WriteString("- or a number\n")
	}
}

// profile writes where a profile differs from the default one.
func profile(b *strings.Builder, p *spec.Profile) {
	b.WriteString("\n")
	for i := range spec.Dials {
		d := &spec.Dials[i]
		if v := valueIn(p.Name, d); v != d.IBA {
			fmt.Fprintf(b, "- `%s %s`: %s\n", d.Name, v, d.Doc)
		}
	}
}

// valueIn is the value that a dial has in a profile.
func valueIn(profile string, d *spec.Dial) string {
	values, err := spec.ResolveDials(profile, nil)
	if err != nil {
		return "" // no profile of the table is unknown
	}
	return values[d.Name]
}

// described writes what a name stands for.
func described(f *scenario.File, t *scenario.Thing) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** `%s`", t.Kind, t.Name)
	if t.Node != "" {
		fmt.Fprintf(&b, " of node `%s`", t.Node)
	}
	b.WriteString("\n")
	for i, line := range f.About(t) {
		if i == 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "- %s\n", line)
	}
	return b.String()
}
