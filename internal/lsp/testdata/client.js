// A client that is not ours: the protocol library of VS Code. It walks through
// what the server can do with one scenario, checks the shape of every answer
// with the guards of that library, and prints what it saw as JSON.
//
//   node client.js SERVER FILE
const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const lsp = require(path.join(process.cwd(), 'node_modules', 'vscode-languageserver-protocol', 'node'));

const seen = {};
const bad = [];
const check = (name, guard, value) => {
  const list = Array.isArray(value) ? value : [value];
  for (const x of list) if (!guard(x)) bad.push(`${name}: ${JSON.stringify(x)}`);
  return value;
};

async function main() {
  const [server, file] = process.argv.slice(2);
  const child = spawn(server, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise(resolve => child.on('exit', resolve));
  const c = lsp.createProtocolConnection(new lsp.StreamMessageReader(child.stdout), new lsp.StreamMessageWriter(child.stdin));
  const published = [];
  const waiting = [];
  c.onNotification(lsp.PublishDiagnosticsNotification.type, p => {
    const next = waiting.shift();
    next ? next(p) : published.push(p);
  });
  const diagnostics = () => published.length ? Promise.resolve(published.shift()) : new Promise(resolve => waiting.push(resolve));
  let refreshed = 0;
  c.onRequest(lsp.CodeLensRefreshRequest.type, () => { refreshed++; });
  c.onRequest(lsp.WorkDoneProgressCreateRequest.type, () => {});
  c.listen();

  const hello = await c.sendRequest(lsp.InitializeRequest.type, {
    processId: process.pid, rootUri: null, workspaceFolders: null,
    capabilities: {
      workspace: { codeLens: { refreshSupport: true } },
      textDocument: { hover: { contentFormat: ['markdown'] }, publishDiagnostics: { relatedInformation: true } },
      window: { workDoneProgress: true },
    },
  });
  seen.server = hello.serverInfo.name;
  await c.sendNotification(lsp.InitializedNotification.type, {});

  const uri = 'file://' + file;
  let text = fs.readFileSync(file, 'utf8');
  const torn = text.replace('send_cq scq', 'send_cq sqc');
  await c.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: 'ibl', version: 1, text: torn } });
  const first = await diagnostics();
  check('diagnostic', lsp.Diagnostic.is, first.diagnostics);
  seen.mistake = first.diagnostics[0].message;
  const actions = await c.sendRequest(lsp.CodeActionRequest.type, { textDocument: { uri }, range: first.diagnostics[0].range, context: { diagnostics: first.diagnostics } });
  check('code action', lsp.CodeAction.is, actions);
  const edit = actions[0].edit.changes[uri][0];
  check('edit', lsp.TextEdit.is, edit);
  await c.sendNotification(lsp.DidChangeTextDocumentNotification.type, { textDocument: { uri, version: 2 }, contentChanges: [{ range: edit.range, text: edit.newText }] });
  seen.afterFix = (await diagnostics()).diagnostics.length;

  const find = (what, nth = 1) => {
    let at = -1;
    for (let i = 0; i < nth; i++) at = text.indexOf(what, at + 1);
    const before = text.slice(0, at + 1).split('\n');
    return { line: before.length - 1, character: before[before.length - 1].length };
  };
  const on = position => ({ textDocument: { uri }, position });
  seen.hover = check('hover', lsp.Hover.is, await c.sendRequest(lsp.HoverRequest.type, on(find('post_send')))).contents.value;
  const def = check('location', lsp.Location.is, await c.sendRequest(lsp.DefinitionRequest.type, on(find('S1.cqe'))));
  seen.definition = def[0].range.start;
  seen.references = check('location', lsp.Location.is, await c.sendRequest(lsp.ReferencesRequest.type, { ...on(find('S1.cqe')), context: { includeDeclaration: true } })).length;
  check('highlight', x => lsp.Range.is(x.range), await c.sendRequest(lsp.DocumentHighlightRequest.type, on(find('S1.cqe'))));
  seen.renameFrom = (await c.sendRequest(lsp.PrepareRenameRequest.type, on(find('S1.cqe')))).placeholder;
  const rename = check('workspace edit', lsp.WorkspaceEdit.is, await c.sendRequest(lsp.RenameRequest.type, { ...on(find('S1.cqe')), newName: 'ask' }));
  seen.renames = rename.changes[uri].length;
  seen.refused = await c.sendRequest(lsp.RenameRequest.type, { ...on(find('S1.cqe')), newName: 'SEND' }).then(() => '', e => e.message);
  const items = await c.sendRequest(lsp.CompletionRequest.type, on(find('SIGNALED')));
  check('completion item', x => typeof x.label === 'string' && lsp.TextEdit.is(x.textEdit) && (!x.documentation || lsp.MarkupContent.is(x.documentation)), items.items);
  seen.completions = items.items.map(x => x.label);
  seen.symbols = check('symbol', lsp.DocumentSymbol.is, await c.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument: { uri } })).map(x => x.name);
  seen.formatting = check('edit', lsp.TextEdit.is, await c.sendRequest(lsp.DocumentFormattingRequest.type, { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } })).length;
  const lenses = check('lens', lsp.CodeLens.is, await c.sendRequest(lsp.CodeLensRequest.type, { textDocument: { uri } }));
  const run = lenses.find(x => x.range.start.line === find('assert order').line).command;
  seen.lens = run.title;
  const verdicts = await c.sendRequest(lsp.ExecuteCommandRequest.type, { command: run.command, arguments: run.arguments });
  seen.verdict = verdicts.verdicts.find(x => x.property === 'order').verdict;
  const again = await c.sendRequest(lsp.CodeLensRequest.type, { textDocument: { uri } });
  seen.lensAfter = again.find(x => x.range.start.line === find('assert order').line).command.title;
  seen.refreshed = refreshed;
  await c.sendRequest(lsp.ShutdownRequest.type);
  await c.sendNotification(lsp.ExitNotification.type);
  seen.exit = await ended;
  console.log(JSON.stringify({ seen, bad }));
}

main().catch(e => { console.error(e); process.exit(1); });
