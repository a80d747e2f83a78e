// Starts `ibcheck lsp` for scenario files. What the extension can do besides
// colours is what that program does.

const { workspace } = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client;

function activate() {
  const settings = workspace.getConfiguration('ibcheck');
  const run = {
    command: settings.get('path'),
    args: ['lsp', ...settings.get('arguments')],
    transport: TransportKind.stdio,
  };
  client = new LanguageClient('ibcheck', 'ibcheck', { run, debug: run }, {
    documentSelector: [{ language: 'ibl' }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher('**/*.ibl') },
  });
  return client.start();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
