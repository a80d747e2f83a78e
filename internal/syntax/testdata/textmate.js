// Prints the innermost scope at each of some places of a text, by the TextMate
// engine that VS Code uses.
//
//   node textmate.js GRAMMAR < {"text": …, "places": [[line, column], …]}
const fs = require('fs');
const path = require('path');
const load = name => require(path.join(process.cwd(), 'node_modules', name));
const oniguruma = load('vscode-oniguruma');
const textmate = load('vscode-textmate');

async function main() {
  const wasm = fs.readFileSync(path.join(process.cwd(), 'node_modules/vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.length));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
      createOnigString: text => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(process.argv[2], 'utf8'), 'ibl.json'),
  });
  const grammar = await registry.loadGrammar('source.ibl');
  const { text, places } = JSON.parse(fs.readFileSync(0, 'utf8'));
  let stack = textmate.INITIAL;
  const lines = text.split('\n').map(line => {
    const r = grammar.tokenizeLine(line, stack);
    stack = r.ruleStack;
    return r.tokens;
  });
  console.log(JSON.stringify(places.map(([line, column]) => {
    const t = lines[line - 1].find(t => t.startIndex < column && column <= t.endIndex);
    return t.scopes[t.scopes.length - 1];
  })));
}

main();
