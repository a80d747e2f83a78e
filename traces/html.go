package traces

import (
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed page
var pageFiles embed.FS

// A pageRow is a row as the page's program takes it.
type pageRow struct {
	Step     int         `json:"step"`
	Cause    int         `json:"cause"`
	Lane     string      `json:"lane"`
	Action   string      `json:"action"`
	Facts    [][2]string `json:"facts"`
	Diff     []string    `json:"diff"`
	Epilogue bool        `json:"epilogue"`
}

// A pageLadder is one property of the page.
type pageLadder struct {
	Tab, Head string
	Lines     []string
	Picture   template.HTML
	Footer    string
}

// WriteHTML writes a page that shows ladders one at a time, with keys to walk
// the steps and the causes and to see the state change. It needs nothing but
// itself: no other file, no network. Its only errors are those of w.
func WriteHTML(w io.Writer, title string, ladders []*Ladder) error {
	page := struct {
		Title   string
		Style   template.CSS
		Script  template.JS
		Data    template.JS
		Ladders []pageLadder
	}{Title: title, Style: template.CSS(pageFile("page.css")), Script: template.JS(pageFile("page.js"))}
	rows := make([][]pageRow, len(ladders))
	for i, l := range ladders {
		rows[i] = l.pageRows()
		page.Ladders = append(page.Ladders, l.page(i))
	}
	data, err := json.Marshal(rows) // which leaves no "<" that could end the script
	if err != nil {
		return err
	}
	page.Data = template.JS(data)
	t, err := template.New("page.html").Parse(pageFile("page.html"))
	if err != nil {
		return err
	}
	return t.Execute(w, page)
}

// pageFile returns a file that is part of the program.
func pageFile(name string) string {
	text, err := pageFiles.ReadFile("page/" + name)
	if err != nil {
		panic(err) // the build put it there
	}
	return string(text)
}

func (l *Ladder) page(i int) pageLadder {
	c := &l.caption
	p := pageLadder{Tab: c.Property, Head: joinNonempty("   ", c.Verdict, joinNonempty(" / ", c.Scenario, c.Property)),
		Picture: template.HTML(l.svg(fmt.Sprintf("p%d-", i), Style{})), Footer: strings.Join(c.Footer, "\n")}
	if name, _, ok := strings.Cut(c.Property, ":"); ok {
		p.Tab = name
	}
	for _, line := range []string{c.Pos, c.Minimal} {
		if line != "" {
			p.Lines = append(p.Lines, line)
		}
	}
	return p
}

func (l *Ladder) pageRows() []pageRow {
	out := []pageRow{}
	for _, r := range l.Rows() {
		row := pageRow{r.Step, r.Cause, r.Lane, r.Action, [][2]string{}, append([]string{}, r.Diff...), r.Epilogue}
		fact := func(name, value string) {
			if value != "" {
				row.Facts = append(row.Facts, [2]string{name, value})
			}
		}
		fact("fault", r.Fault)
		if p := r.Packet; p != nil {
			fact("packet", p.Opcode)
			fact("from", r.Src)
			fact("to", r.Dst)
			fact("PSN", r.PSN)
			fact("syndrome", p.Syndrome)
			if p.MSN >= 0 {
				fact("MSN", fmt.Sprint(p.MSN))
			}
			if p.AckReq {
				fact("AckReq", "yes")
			}
		}
		if c := r.CQE; c != nil {
			fact("WR", c.WR)
			fact("opcode", c.Opcode)
			fact("status", c.Status)
			fact("CQ", c.CQ)
		}
		for _, i := range r.Events {
			if e := &l.run.Events[i]; i == l.rows[r.Step-1].main {
				fact("rule", joinNonempty(", ", e.Rule, e.Clause))
				fact("thread", e.Thread)
			}
		}
		out = append(out, row)
	}
	return out
}
