// Package lsp serves scenario files to editors by the Language Server Protocol:
// diagnostics, quick fixes, hover, names, completion, outline, formatting, and
// a lens over each property that runs the checker.
//
// It knows positions, documents and messages; what stands where and what it
// means is asked of package scenario, verdicts of package ibcheck. Its one law:
// a document is answered for as the client last sent it, never as it is on disk.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/ibcheck/ibcheck"
)

// Options say how to serve.
type Options struct {
	Check   ibcheck.Options // limits of the runs that lenses start
	Version string          // of the program, told to the client
}

// ErrLost is what Serve returns when the client goes without saying so.
var ErrLost = errors.New("the client closed the connection without shutdown and exit")

// Serve answers a client until it says exit or closes the connection. It
// returns nil only if the client said shutdown before.
func Serve(ctx context.Context, client io.ReadWriteCloser, opt Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{opt: opt, ctx: ctx, docs: map[string]*document{}, running: map[string]context.CancelFunc{}, exited: make(chan struct{})}
	s.exit = sync.OnceFunc(func() { close(s.exited) })
	s.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(client))
	s.conn.Go(ctx, s.handle)
	select {
	case <-s.exited:
	case <-s.conn.Done():
	case <-ctx.Done():
	}
	cancel()
	s.runs.Wait()
	_ = s.conn.Close() // the reader may have closed it, when the client was gone
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down {
		return nil
	}
	return ErrLost
}

// A server is one connection with a client. Messages are handled one at a time,
// in their order; only runs of the checker go on beside them.
type server struct {
	opt    Options
	ctx    context.Context
	conn   jsonrpc2.Conn
	exited chan struct{}
	exit   func() // closes exited
	runs   sync.WaitGroup
	client protocol.ClientCapabilities
	down   bool // shutdown was asked for

	mu      sync.Mutex // guards what runs touch too
	docs    map[string]*document
	running map[string]context.CancelFunc // by progress token and by request
	tokens  int
}

// A method answers one kind of request or notification.
type method func(s *server, params json.RawMessage) (any, error)

// on makes a method of a function of its params.
func on[P any](f func(*server, *P) (any, error)) method {
	return func(s *server, raw json.RawMessage) (any, error) {
		var p P
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &p); err != nil {
				return nil, failed(jsonrpc2.InvalidParams, "%v", err)
			}
		}
		return f(s, &p)
	}
}

// methods are all that the server understands, but for running the checker.
var methods = map[string]method{
	protocol.MethodInitialize:                     on((*server).initialize),
	protocol.MethodInitialized:                    on(func(*server, *protocol.InitializedParams) (any, error) { return nil, nil }),
	protocol.MethodShutdown:                       on(func(s *server, _ *struct{}) (any, error) { s.down = true; return nil, nil }),
	protocol.MethodSetTrace:                       on(func(*server, *struct{}) (any, error) { return nil, nil }),
	protocol.MethodCancelRequest:                  on((*server).cancelRequest),
	protocol.MethodWorkDoneProgressCancel:         on((*server).cancelProgress),
	protocol.MethodTextDocumentDidOpen:            on((*server).didOpen),
	protocol.MethodTextDocumentDidChange:          on((*server).didChange),
	protocol.MethodTextDocumentDidClose:           on((*server).didClose),
	protocol.MethodTextDocumentDidSave:            on(func(*server, *struct{}) (any, error) { return nil, nil }),
	protocol.MethodWorkspaceDidChangeWatchedFiles: on((*server).didChangeFiles),
	protocol.MethodTextDocumentCodeAction:         on((*server).codeAction),
	protocol.MethodTextDocumentHover:              on((*server).hover),
	protocol.MethodTextDocumentDefinition:         on((*server).definition),
	protocol.MethodTextDocumentReferences:         on((*server).references),
	protocol.MethodTextDocumentDocumentHighlight:  on((*server).highlight),
	protocol.MethodTextDocumentPrepareRename:      on((*server).prepareRename),
	protocol.MethodTextDocumentRename:             on((*server).rename),
	protocol.MethodTextDocumentCompletion:         on((*server).complete),
	protocol.MethodTextDocumentDocumentSymbol:     on((*server).symbols),
	protocol.MethodTextDocumentFormatting:         on((*server).format),
	protocol.MethodTextDocumentCodeLens:           on((*server).lenses),
}

// handle answers one message. An error of its own would end the connection, so
// it returns only those of the connection.
func (s *server) handle(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = reply(ctx, nil, failed(jsonrpc2.InternalError, "%v", p))
		}
	}()
	switch m, known := methods[req.Method()]; {
	case req.Method() == protocol.MethodExit:
		s.exit()
		return nil
	case s.down:
		return reply(ctx, nil, failed(jsonrpc2.InvalidRequest, "after shutdown"))
	case req.Method() == protocol.MethodWorkspaceExecuteCommand:
		return s.execute(ctx, reply, req)
	case known:
		s.mu.Lock()
		defer s.mu.Unlock()
		result, err := m(s, req.Params())
		return reply(ctx, result, err)
	}
	return jsonrpc2.MethodNotFoundHandler(ctx, reply, req)
}

// requestFailed is the code of a request that was understood and cannot be done,
// for a reason that the client should show.
const requestFailed jsonrpc2.Code = -32803

// failed is an error that the client gets as it is.
func failed(code jsonrpc2.Code, format string, args ...any) error {
	return jsonrpc2.NewError(code, fmt.Sprintf(format, args...))
}

// initialize says what the server can do.
func (s *server) initialize(p *protocol.InitializeParams) (any, error) {
	s.client = p.Capabilities
	return &protocol.InitializeResult{
		ServerInfo: &protocol.ServerInfo{Name: "ibcheck", Version: s.opt.Version},
		Capabilities: protocol.ServerCapabilities{
			TextDocumentSync:           &protocol.TextDocumentSyncOptions{OpenClose: true, Change: protocol.TextDocumentSyncKindIncremental},
			CompletionProvider:         &protocol.CompletionOptions{TriggerCharacters: []string{".", "(", "["}},
			HoverProvider:              true,
			DefinitionProvider:         true,
			ReferencesProvider:         true,
			DocumentHighlightProvider:  true,
			DocumentSymbolProvider:     true,
			DocumentFormattingProvider: true,
			CodeActionProvider:         &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{protocol.QuickFix}},
			RenameProvider:             &protocol.RenameOptions{PrepareProvider: true},
			CodeLensProvider:           &protocol.CodeLensOptions{},
			ExecuteCommandProvider:     &protocol.ExecuteCommandOptions{Commands: []string{runCommand}},
		},
	}, nil
}

// notify sends the client a notification. A client that is gone is noticed by
// the reader of its messages.
func (s *server) notify(method string, params any) {
	_ = s.conn.Notify(s.ctx, method, params)
}
