// Runs tools/editors/vscode/extension.js with stand-ins for VS Code and for the client library: extension.js FOLDER.
"use strict";
const assert = require("assert");
const fs = require("fs");
const Module = require("module");
const os = require("os");
const path = require("path");

const settings = { device: "", platform: "", hostCode: true, path: "", arguments: [] };
const shown = [];
const clients = [];
const commands = {};
let changed;
const files = { "a.cl": "opencl", "a.c": "c" };
const documents = Object.entries(files).map(([name, languageId]) => ({ uri: name, languageId }));
const [kernel, host] = documents;
let diagnosticsHere = [];

const vscode = {
  window: {
    showErrorMessage: (text) => shown.push(text),
    showInformationMessage: (text) => shown.push(text),
    createOutputChannel: () => ({ show() {} }),
    showQuickPick: async (items) => items[1],
  },
  workspace: {
    textDocuments: documents,
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidChangeConfiguration: (listener) => { changed = listener; },
  },
  languages: { getDiagnostics: () => diagnosticsHere },
  commands: {
    registerCommand: (name, action) => { commands[name] = action; },
    executeCommand: (name, ...rest) => vscode.answer(name, ...rest),
  },
  Range: class { constructor(start, end) { Object.assign(this, { start, end }); } },
};
class LanguageClient {
  constructor(id, name, server, options) {
    Object.assign(this, { server, options, state: "made" });
    clients.push(this);
  }
  async start() { this.state = "started"; }
  async stop() { this.state = "stopped"; }
}
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode
  : name === "vscode-languageclient/node" ? { LanguageClient } : load(name, ...rest);

const extension = require(path.join(path.resolve(process.argv[2]), "extension.js"));
const home = fs.mkdtempSync(path.join(os.tmpdir(), "clmali-vscode-"));
const context = { extensionPath: home, subscriptions: [] };
const server = path.join(home, "server", "bin", "clmali-clangd");

async function main() {
  // Without a server there is a message, and no exception.
  await extension.activate(context);
  assert.strictEqual(clients.length, 0);
  assert.match(shown.pop(), /no server for this machine/);

  // No settings: the server that comes with the extension, without arguments.
  fs.mkdirSync(path.dirname(server), { recursive: true });
  fs.writeFileSync(server, "");
  await commands["clmali.restart"]();
  assert.deepStrictEqual(clients[0].server, { command: server, args: [] });
  assert.deepStrictEqual(clients[0].options.documentSelector.map((d) => d.language), ["opencl", "c", "cpp"]);
  assert.strictEqual(clients[0].state, "started");

  // A changed setting restarts it with arguments; an unrelated one does not.
  Object.assign(settings, { device: "mali-bifrost", platform: "PoCL", arguments: ["--log=verbose"], hostCode: false });
  await changed({ affectsConfiguration: (name) => name === "editor" });
  assert.strictEqual(clients.length, 1);
  await changed({ affectsConfiguration: (name) => name === "clmali" });
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.strictEqual(clients[0].state, "stopped");
  assert.deepStrictEqual(clients[1].server.args, ["--clmali-device=mali-bifrost", "--clmali-platform=PoCL", "--log=verbose"]);
  assert.deepStrictEqual(clients[1].options.documentSelector.map((d) => d.language), ["opencl"]);
  settings.path = "/nowhere/clmali-clangd";
  await commands["clmali.restart"]();
  assert.match(shown.pop(), /names '\/nowhere\/clmali-clangd', which does not exist/);

  // Host code gets findings of ours, their fixes and pages, and nothing else; kernels get everything.
  const between = clients[0].options.middleware;
  const ours = { code: { value: "clmali-integer-division" }, range: { contains: () => true } };
  const theirs = { code: "pp_file_not_found", range: { contains: () => true } };
  const through = (uri) => {
    let got;
    between.handleDiagnostics(uri, [ours, theirs], (_, list) => { got = list; });
    return got;
  };
  assert.deepStrictEqual(through("a.cl"), [ours, theirs]);
  assert.deepStrictEqual(through("a.c"), [ours]);
  const actions = [{ diagnostics: [ours] }, { diagnostics: [theirs] }, { title: "tweak" }];
  assert.strictEqual((await between.provideCodeActions(kernel, 0, 0, 0, async () => actions)).length, 3);
  assert.deepStrictEqual(await between.provideCodeActions(host, 0, 0, 0, async () => actions), [actions[0]]);
  assert.deepStrictEqual(await between.provideCodeActions(host, 0, 0, 0, async () => null), []);
  diagnosticsHere = [theirs];
  assert.strictEqual(await between.provideHover(host, 0, 0, async () => "page"), null);
  diagnosticsHere = [ours];
  assert.strictEqual(await between.provideHover(host, 0, 0, async () => "page"), "page");
  assert.strictEqual(await between.provideHover(kernel, 0, 0, async () => "page"), "page");
  assert.strictEqual(await between.provideCompletionItem(host, 1, 2, 3, () => "items"), null);
  assert.strictEqual(await between.provideCompletionItem(kernel, 1, 2, 3, (d, p, c, t) => [d, p, c, t].length), 4);

  // The command asks for the rewrites of the kernel around the cursor and starts the one that is chosen.
  const calls = [];
  const start = { line: 3 };
  vscode.window.activeTextEditor = { document: kernel, selection: { active: { line: 9 } } };
  vscode.answer = async (name, ...rest) => {
    calls.push([name, ...rest]);
    if (name === "vscode.executeDocumentSymbolProvider")
      return [{ range: { contains: () => true }, selectionRange: { start } }];
    if (name === "vscode.executeCodeActionProvider")
      return [{ title: "Extract" }, ...["mali-midgard", "mali-bifrost"].map((device) => ({
        title: `Rewrite 'k' for ${device}, verified`, command: { command: "clmali.run", arguments: [device] } }))];
    return undefined;
  };
  await commands["clmali.rewriteKernel"]();
  assert.strictEqual(calls[1][2].start, start);
  assert.deepStrictEqual(calls.at(-1), ["clmali.run", "mali-bifrost"]);
  vscode.answer = async () => [];
  vscode.window.activeTextEditor.selection = {};
  await commands["clmali.rewriteKernel"]();
  assert.match(shown.pop(), /put the cursor into a kernel/);
  await extension.deactivate();
  fs.rmSync(home, { recursive: true });
  console.log("extension: as it should be");
}
main().catch((problem) => { console.error(problem); process.exit(1); });
