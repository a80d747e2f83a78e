package scenario

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ibcheck/ibcheck/spec"
)

// Options say how a file is read.
type Options struct {
	// ReadFile returns the file an import names, as a path relative to the
	// directory of the importing file. Without it, import is an error.
	ReadFile func(path string) ([]byte, error)
}

// A File is a scenario file that was read. If it has mistakes, its statements
// are still there, as far as they could be read.
type File struct {
	Name     string
	Stmts    []*Stmt // of this file alone
	Warnings Errors  // what is legal but probably not meant

	all     []*Stmt // with the imported statements in place of each import
	tail    []comment
	opt     Options
	c       *collector
	order   map[string]int    // files in the order they were opened
	via     map[string]Import // by file, the import of this file that leads to it
	params  []param
	values  map[string][]string // that each param has somewhere
	broken  bool                // brackets do not match
	wants   *[]want             // what the tables want at the cursor, if that is asked
	matched bool                // the tables were laid over the statements
	known   *index              // what is named where, nil until asked for
}

// A param is a param statement.
type param struct {
	name  Token
	value Token
}

// Parse reads a scenario from memory. name is the file's name in positions.
// The File is never nil; the Errors are nil if it is a valid scenario, in
// every variant.
func Parse(name string, src []byte, opt Options) (*File, Errors) {
	f := &File{Name: name, opt: opt, c: &collector{}, order: map[string]int{}, via: map[string]Import{}}
	f.Stmts, f.tail = f.open(name, src)
	f.all = f.imports(f.Stmts, []string{name})
	if !f.broken {
		f.match()
		f.buildAll()
	}
	return f, f.c.sorted(f.order)
}

// Load reads a scenario file and the files it imports.
func Load(path string) (*File, Errors) {
	src, err := os.ReadFile(path)
	if err != nil {
		e := &Error{Pos: spec.Pos{File: path, Line: 1, Col: 1}, Len: 1, Msg: fmt.Sprintf("cannot read the file: %v", err)}
		return &File{Name: path, c: &collector{}}, Errors{e}
	}
	return Parse(path, src, Options{ReadFile: os.ReadFile})
}

// open reads one file into statements.
func (f *File) open(name string, src []byte) ([]*Stmt, []comment) {
	f.order[name] = len(f.order)
	stmts, tail, ok := parseTree(f.c, name, src)
	f.broken = f.broken || !ok
	return stmts, tail
}

// imports replaces every import by the statements of the file it names. The
// chain holds the names of the files being read.
func (f *File) imports(stmts []*Stmt, chain []string) []*Stmt {
	var out []*Stmt
	for _, s := range stmts {
		out = append(out, s)
		if !s.word().is("import") || len(s.Items) < 2 || s.Items[1].Tok.Kind != String || s.bad {
			continue
		}
		more, ok := f.imported(s.Items[1].Tok, chain)
		s.bad = !ok
		for _, t := range more {
			if !t.word().is("litmus") {
				out = append(out, t)
			}
		}
	}
	return out
}

// imported reads the file that a string names; ok is false if that is a
// mistake.
func (f *File) imported(t Token, chain []string) (stmts []*Stmt, ok bool) {
	path := t.str()
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(chain[len(chain)-1]), path)
	}
	if slices.Contains(chain, path) {
		f.c.at(t, "a file cannot import itself", strings.Join(append(chain, path), " → "), "", "")
		return nil, false
	}
	if _, again := f.order[path]; again {
		return nil, true // its statements are there already
	}
	if f.opt.ReadFile == nil {
		f.c.at(t, "import without files to import from", "", "", "")
		return nil, false
	}
	src, err := f.opt.ReadFile(path)
	if err != nil {
		f.c.at(t, fmt.Sprintf("cannot import: %v", err), "", "", "")
		return nil, false
	}
	if via, ok := f.via[chain[len(chain)-1]]; ok {
		f.via[path] = via
	} else {
		f.via[path] = Import{Pos: t.Pos, Len: t.chars, File: path}
	}
	stmts, _ = f.open(path, src)
	return f.imports(stmts, append(slices.Clip(chain), path)), true
}

// An Import is an import statement of a file.
type Import struct {
	Pos  spec.Pos // of the string
	Len  int      // characters
	File string   // what it names, as a path from where the importing file's name is one
}

// Imports returns the imports of a file that could be read, in file order.
func (f *File) Imports() []Import {
	var out []Import
	for _, s := range f.Stmts {
		if !s.word().is("import") || len(s.Items) < 2 {
			continue
		}
		for _, file := range slices.Sorted(maps.Keys(f.via)) {
			if i := f.via[file]; i.File == file && i.Pos == s.Items[1].Tok.Pos {
				out = append(out, i)
			}
		}
	}
	return out
}

// Via returns the import of the file itself that takes in another file, perhaps
// through others; ok is false for the file itself and for files not taken in.
func (f *File) Via(file string) (i Import, ok bool) {
	i, ok = f.via[file]
	return i, ok
}

// match lays the tables over the statements.
func (f *File) match() {
	f.params, f.matched = nil, true
	m := &matcher{c: f.c, params: map[string]bool{}, wants: f.wants}
	for _, s := range f.all {
		if s.word().is("param") && len(s.Items) > 1 {
			m.params[s.Items[1].Tok.Text] = true
		}
	}
	m.block(f.all, InFile)
	for _, s := range f.all {
		if s.call != nil && s.call.row.declares == symParam && !s.bad {
			f.params = append(f.params, param{s.call.args[0].toks[0], s.call.args[1].toks[0]})
		}
	}
	f.values = f.paramValues()
}

// buildAll builds the file and each of its variants to find the mistakes that
// only names and values show.
func (f *File) buildAll() {
	base := newBuilder(f, nil)
	base.build()
	f.Warnings = base.warn.sorted(f.order)
	for _, v := range f.Variants()[1:] {
		if !base.takes(v) {
			continue
		}
		b := newBuilder(f, v.Params)
		b.variant = v.stmt
		b.build()
	}
}

// Scenario makes the scenario for a choice of params; params not named keep
// the value that the file gives them. The errors are those of the file, or
// those of the values.
func (f *File) Scenario(params map[string]string) (*spec.Scenario, Errors) {
	return f.make(params, nil)
}

// Text returns the file as it was read, its lines ended as Unix does; "" if it
// could not be read.
func (f *File) Text() string { return strings.Join(f.c.sources[f.Name], "\n") }

// make makes a scenario with the verdicts of a check with, if it is not nil.
func (f *File) make(params map[string]string, variant *Stmt) (*spec.Scenario, Errors) {
	if f.broken || len(f.c.errs) > 0 {
		return nil, f.c.sorted(f.order)
	}
	b := newBuilder(f, params)
	b.c = &collector{sources: f.c.sources}
	b.variant = variant
	sc := b.build()
	if errs := b.c.sorted(f.order); errs != nil {
		return nil, errs
	}
	return sc, nil
}
