// Runs the extension for VS Code with a stand-in for VS Code, and prints what it
// would start.
//
//   node extension.js EXTENSION
const Module = require('module');
const settings = { path: '/opt/ibcheck', arguments: ['--timeout', '5m'] };
const seen = [];
const fakes = {
  vscode: {
    workspace: {
      getConfiguration: section => ({ get: name => (seen.push(`setting ${section}.${name}`), settings[name]) }),
      createFileSystemWatcher: glob => `watch ${glob}`,
    },
  },
  'vscode-languageclient/node': {
    TransportKind: { stdio: 'stdio' },
    LanguageClient: class {
      constructor(id, name, server, client) { seen.push({ id, name, server, client }); }
      start() { seen.push('start'); }
      stop() { seen.push('stop'); }
    },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => fakes[name] || load(name, ...rest);
const extension = require(process.argv[2]);
extension.activate();
extension.deactivate();
console.log(JSON.stringify(seen));
