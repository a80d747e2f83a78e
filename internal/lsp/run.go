package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck"
	"github.com/ibcheck/ibcheck/explore"
	"github.com/ibcheck/ibcheck/spec"
	"github.com/ibcheck/ibcheck/spec/scenario"
)

// A runResult is what runCommand answers.
type runResult struct {
	Verdicts []runVerdict `json:"verdicts"`
}

// A runVerdict is one verdict of a runResult.
type runVerdict struct {
	Variant    string `json:"variant"` // "" for the file itself
	Property   string `json:"property"`
	Verdict    string `json:"verdict"`
	AsExpected bool   `json:"asExpected"`
	Summary    string `json:"summary"`
	Ladder     string `json:"ladder,omitempty"`
}

// execute starts a run. It goes on beside the messages that follow, and answers
// when it is done.
func (s *server) execute(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
	var p struct {
		Command       string                  `json:"command"`
		Arguments     []runArgs               `json:"arguments"`
		WorkDoneToken *protocol.ProgressToken `json:"workDoneToken"`
	}
	if err := json.Unmarshal(req.Params(), &p); err != nil {
		return reply(ctx, nil, failed(jsonrpc2.InvalidParams, "%v", err))
	}
	if p.Command != runCommand || len(p.Arguments) != 1 {
		return reply(ctx, nil, failed(jsonrpc2.InvalidParams, "the command is %s with one argument", runCommand))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d, err := s.document(p.Arguments[0].URI)
	if err == nil && len(d.mistakes) > 0 {
		err = failed(requestFailed, "%v", d.mistakes[0])
	}
	if err != nil {
		return reply(ctx, nil, err)
	}
	variants := chosen(d.file, p.Arguments[0])
	if len(variants) == 0 {
		return reply(ctx, nil, failed(jsonrpc2.InvalidParams, "no variant %q", p.Arguments[0].Variant))
	}
	r := &run{s: s, name: d.name, text: d.text}
	r.ctx, r.cancel = context.WithCancel(s.ctx)
	id := ""
	if call, ok := req.(*jsonrpc2.Call); ok {
		id = fmt.Sprintf("request %v", call.ID())
		s.running[id] = r.cancel
	}
	var scenarios []*spec.Scenario
	for _, v := range variants {
		sc, errs := v.Scenario()
		if errs != nil {
			r.cancel()
			return reply(ctx, nil, failed(requestFailed, "%v", errs.Err()))
		}
		scenarios = append(scenarios, sc)
	}
	s.runs.Add(1)
	go func() {
		defer s.runs.Done()
		result, err := r.run(variants, scenarios, p.WorkDoneToken)
		s.mu.Lock()
		delete(s.running, id)
		s.mu.Unlock()
		_ = reply(s.ctx, result, err) // a client that is gone wants no answer
	}()
	return nil
}

// chosen are the variants that a command asks for.
func chosen(f *scenario.File, a runArgs) []scenario.Variant {
	all := f.Variants()
	if a.All {
		return all
	}
	for i, v := range all {
		if v.Text == a.Variant {
			return all[i : i+1]
		}
	}
	return nil
}

// A run is the checker at work for a client.
type run struct {
	s          *server
	ctx        context.Context
	cancel     context.CancelFunc
	name, text string // of the document, as it was
	progress   *progress
}

// run explores variants in turn.
func (r *run) run(variants []scenario.Variant, scenarios []*spec.Scenario, token *protocol.ProgressToken) (any, error) {
	defer r.cancel()
	r.progress = r.s.beginProgress(r, token)
	defer r.progress.end()
	result := runResult{Verdicts: []runVerdict{}}
	for i, sc := range scenarios {
		opt := r.s.opt.Check
		opt.Progress = r.progress.report
		report, err := ibcheck.CheckScenario(r.ctx, sc, opt)
		if err != nil {
			return nil, failed(jsonrpc2.InternalError, "%v", err)
		}
		result.Verdicts = append(result.Verdicts, r.keep(variants[i].Text, &report)...)
	}
	r.s.refreshLenses()
	return &result, nil
}

// keep remembers the verdicts of a report with their document.
func (r *run) keep(variant string, report *ibcheck.ScenarioReport) []runVerdict {
	byName := map[string]verdict{}
	var out []runVerdict
	for i := range report.Properties {
		p := &report.Properties[i]
		v := newVerdict(r.text, report, p)
		byName[p.Name] = v
		if p.Kind == "sanitizer" && p.AsExpected {
			continue
		}
		out = append(out, runVerdict{variant, p.Name, p.Verdict, p.AsExpected, v.line, v.ladder})
	}
	r.s.mu.Lock()
	defer r.s.mu.Unlock()
	if d := r.s.docs[r.name]; d != nil {
		if d.verdicts == nil {
			d.verdicts = verdicts{}
		}
		d.verdicts[variant] = byName
		r.s.publish(d.uri, r.s.diagnostics(d))
	}
	return out
}

// refreshLenses makes the client ask for the lenses again.
func (s *server) refreshLenses() {
	if w := s.client.Workspace; w != nil && w.CodeLens != nil && w.CodeLens.RefreshSupport {
		_, _ = s.conn.Call(s.ctx, protocol.MethodCodeLensRefresh, nil, nil) // a client may refuse
	}
}

// A progress tells the client how far a run is; nil if it does not want to know.
type progress struct {
	s     *server
	token any
	said  uint64 // states at the last report
}

// beginProgress opens a progress with the client's token, or with one of the
// server's if the client can show it.
func (s *server) beginProgress(r *run, token *protocol.ProgressToken) *progress {
	p := &progress{s: s}
	if token != nil {
		p.token = token
	} else {
		if w := s.client.Window; w == nil || !w.WorkDoneProgress {
			return nil
		}
		s.mu.Lock()
		s.tokens++
		p.token = fmt.Sprintf("ibcheck-%d", s.tokens)
		s.mu.Unlock()
		if _, err := s.conn.Call(s.ctx, protocol.MethodWorkDoneProgressCreate, map[string]any{"token": p.token}, nil); err != nil {
			return nil
		}
	}
	s.mu.Lock()
	s.running[fmt.Sprint(p.token)] = r.cancel
	s.mu.Unlock()
	p.send(&protocol.WorkDoneProgressBegin{Kind: protocol.WorkDoneProgressKindBegin, Title: "Exploring", Cancellable: true})
	return p
}

func (p *progress) send(value any) {
	p.s.notify(protocol.MethodProgress, map[string]any{"token": p.token, "value": value})
}

// progressStep is after how many states the client hears of them.
const progressStep = 50_000

// report tells how many states there are, now and then.
func (p *progress) report(x explore.Progress) {
	if p == nil || x.States < p.said+progressStep {
		return
	}
	p.said = x.States
	p.send(&protocol.WorkDoneProgressReport{Kind: protocol.WorkDoneProgressKindReport, Cancellable: true,
		Message: fmt.Sprintf("%s, %d states, depth %d", strings.ToLower(string(x.Phase)), x.States, x.Depth)})
}

func (p *progress) end() {
	if p == nil {
		return
	}
	p.s.mu.Lock()
	delete(p.s.running, fmt.Sprint(p.token))
	p.s.mu.Unlock()
	p.send(&protocol.WorkDoneProgressEnd{Kind: protocol.WorkDoneProgressKindEnd})
}

// cancelParams name a request or a progress by its number or word.
type cancelParams struct {
	ID    any `json:"id"`
	Token any `json:"token"`
}

func (s *server) cancelRequest(p *cancelParams) (any, error) {
	s.cancelRun(fmt.Sprintf("request %v", p.ID))
	return nil, nil
}

func (s *server) cancelProgress(p *cancelParams) (any, error) {
	s.cancelRun(fmt.Sprint(p.Token))
	return nil, nil
}

func (s *server) cancelRun(key string) {
	if cancel := s.running[key]; cancel != nil {
		cancel()
	}
}
