// Reads scenarios by grammar.js and prints their tokens: a stand-in for the
// tree-sitter program for grammars without conflicts. As there, of the tokens
// that may stand at a place the longest counts, then the one that comes first.
//
//   node treesitter.js grammar.js FILE...
const fs = require('fs');
const path = require('path');

const rule = x => typeof x === 'string' ? { type: 'text', text: x } : x instanceof RegExp ? { type: 'pattern', source: x.source } : x;
global.seq = (...x) => ({ type: 'seq', of: x.map(rule) });
global.choice = (...x) => ({ type: 'choice', of: x.map(rule) });
global.repeat = x => ({ type: 'repeat', of: rule(x) });
global.token = x => ({ type: 'token', of: rule(x) });
global.token.immediate = x => ({ type: 'token', immediate: true, of: rule(x) });

let rules;
global.grammar = g => {
  const $ = new Proxy({}, { get: (_, name) => ({ type: 'symbol', name }) });
  rules = Object.fromEntries(Object.entries(g.rules).map(([name, f]) => [name, rule(f($))]));
  rules.extras = g.extras($).map(rule);
  return g;
};
require(path.resolve(process.argv[2]));

const escape = s => s.replace(/[.*+?^${}()|[\]\\\/-]/g, '\\$&');
const source = r => ({
  text: () => escape(r.text),
  pattern: () => r.source,
  seq: () => r.of.map(source).join(''),
  choice: () => '(?:' + r.of.map(source).join('|') + ')',
  token: () => source(r.of),
}[r.type])();
// Alternatives of a JavaScript pattern are tried in order, and a lexer takes the
// longest: so words and operators are put in the order of their lengths.
const byLength = list => list.sort((a, b) => b.length - a.length);
const alternatives = s => {
  const m = /^\(([^()]*)\)\?\((.*)\)$/.exec(s);
  const words = (m ? m[2] : s).split('|');
  if (!/^[\w.|\\]+$/.test(m ? m[2] : s)) return [s];
  const prefixes = ['', ...(m ? m[1].split('|') : [])];
  return [byLength(prefixes.flatMap(p => words.map(w => p + w))).join('|')];
};
const patterns = r => {
  if (r.type === 'token') return patterns(r.of);
  if (r.type === 'pattern') return alternatives(r.source);
  if (r.type !== 'choice') return [source(r)];
  if (r.of.every(x => x.type === 'text')) return [byLength(r.of.map(source)).join('|')];
  return r.of.flatMap(patterns);
};
const compiled = new Map();
const longest = (r, text, at) => {
  if (!compiled.has(r)) compiled.set(r, patterns(r).map(p => new RegExp('(?:' + p + ')', 'y')));
  let best = -1;
  for (const p of compiled.get(r)) {
    p.lastIndex = at;
    const found = p.exec(text);
    if (found) best = Math.max(best, found[0].length);
  }
  return best;
};

const isToken = name => ['pattern', 'token', 'text'].includes(rules[name].type);
// The tokens that a rule can begin with, as [name, rule] pairs.
const first = r => ({
  text: () => [[r.text, r]],
  token: () => [[source(r), r]],
  pattern: () => [[r.source, r]],
  seq: () => first(r.of[0]),
  choice: () => r.of.flatMap(first),
  repeat: () => first(r.of),
  symbol: () => isToken(r.name) ? [[r.name, rules[r.name]]] : first(rules[r.name]),
}[r.type])();

function parse(text) {
  let at = 0;
  const out = [];
  const skip = () => {
    for (;;) {
      const n = Math.max(...rules.extras.map(x => longest(x.type === 'symbol' ? rules[x.name] : x, text, at)));
      if (n <= 0) return;
      at += n;
    }
  };
  // The token at hand among some, without taking it.
  const peek = tokens => {
    const before = at;
    let best = null;
    for (const [name, r] of tokens) {
      if (r.immediate) consider(name, r, before);
    }
    skip();
    for (const [name, r] of tokens) {
      if (!r.immediate) consider(name, r, at);
    }
    function consider(name, r, from) {
      const n = longest(r, text, from);
      if (n > 0 && (!best || n > best.n)) best = { name, n, from };
    }
    const here = at;
    at = before;
    return best || { name: null, n: 0, from: here };
  };
  const order = Object.keys(rules);
  const sorted = tokens => tokens.sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]));
  const run = (r, follow) => {
    if (r.type === 'repeat') {
      for (;;) {
        const t = peek(sorted([...first(r.of), ...follow]));
        if (!first(r.of).some(([name]) => name === t.name)) return;
        run(r.of, [...first(r.of), ...follow]);
      }
    }
    if (r.type === 'choice') {
      const t = peek(sorted(first(r)));
      const one = r.of.find(x => first(x).some(([name]) => name === t.name));
      if (!one) throw new Error(`nothing fits at byte ${t.from}: ${JSON.stringify(text.slice(t.from, t.from + 20))}`);
      return run(one, follow);
    }
    if (r.type === 'seq') return r.of.forEach((x, i) => run(x, i + 1 < r.of.length ? first(r.of[i + 1]) : follow));
    if (r.type === 'symbol' && !isToken(r.name)) return run(rules[r.name], follow);
    const [[name, rl]] = first(r);
    const t = peek([[name, rl]]);
    if (t.name === null) throw new Error(`no ${name} at byte ${t.from}: ${JSON.stringify(text.slice(t.from, t.from + 20))}`);
    at = t.from + t.n;
    out.push([r.type === 'symbol' ? r.name : '', text.slice(t.from, at)]);
  };
  run(rules.source_file, []);
  skip();
  if (at < text.length) throw new Error(`left over at byte ${at}: ${JSON.stringify(text.slice(at, at + 20))}`);
  return out;
}

const result = {};
for (const file of process.argv.slice(3)) {
  try {
    result[file] = { tokens: parse(fs.readFileSync(file, 'utf8')) };
  } catch (e) {
    result[file] = { error: e.message };
  }
}
console.log(JSON.stringify(result));
