// Starts clmali-clangd for OpenCL C, and for the host code beside it. The server does the work: findings, rule pages on
// hover, quick fixes, and rewrites as code actions, which it runs in the background with progress.
"use strict";
const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const KERNELS = "opencl";
const HOSTS = ["c", "cpp"];

let client;
let output;

/** The path of the server: a setting, the one of this extension, or null with a message. */
function serverPath(settings, extensionPath) {
  const given = settings.get("path");
  const found = given || path.join(extensionPath, "server", "bin", "clmali-clangd");
  if (fs.existsSync(found)) return found;
  vscode.window.showErrorMessage(given
    ? `clmali: the setting clmali.path names '${given}', which does not exist.`
    : "clmali: this package of the extension has no server for this machine. Install clmali for it and set clmali.path.");
  return null;
}

function serverArguments(settings) {
  const device = settings.get("device");
  const platform = settings.get("platform");
  return [
    ...(device ? [`--clmali-device=${device}`] : []),
    ...(platform ? [`--clmali-platform=${platform}`] : []),
    ...settings.get("arguments"),
  ];
}

/** A finding of clmali, not one of the compiler. */
function isFinding(diagnostic) {
  const code = diagnostic.code;
  const id = code && typeof code === "object" ? code.value : code;
  return String(id).startsWith("clmali-");
}

/** Host code has extensions of its own: of the server it gets findings of clmali and their fixes, and nothing else. */
function forHosts() {
  const kernelsOnly = (document, next, nothing) => (document.languageId === KERNELS ? next() : nothing);
  const middleware = {
    handleDiagnostics(uri, diagnostics, next) {
      const document = vscode.workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
      next(uri, document && document.languageId !== KERNELS ? diagnostics.filter(isFinding) : diagnostics);
    },
    async provideCodeActions(document, range, context, token, next) {
      const actions = (await next(document, range, context, token)) || [];
      if (document.languageId === KERNELS) return actions;
      return actions.filter((action) => (action.diagnostics || []).some(isFinding));
    },
    async provideHover(document, position, token, next) {
      if (document.languageId === KERNELS) return next(document, position, token);
      const here = vscode.languages.getDiagnostics(document.uri);
      return here.some((d) => isFinding(d) && d.range.contains(position)) ? next(document, position, token) : null;
    },
  };
  // Each of these is called as (document, ..., next).
  for (const name of ["provideCompletionItem", "provideSignatureHelp", "provideDefinition", "provideDeclaration",
    "provideTypeDefinition", "provideImplementation", "provideReferences", "provideDocumentHighlights",
    "provideDocumentSymbols", "provideDocumentLinks", "provideFoldingRanges", "provideSelectionRanges",
    "provideDocumentFormattingEdits", "provideDocumentRangeFormattingEdits", "provideOnTypeFormattingEdits",
    "provideRenameEdits", "prepareRename", "provideDocumentSemanticTokens", "provideDocumentSemanticTokensEdits",
    "provideDocumentRangeSemanticTokens", "provideInlayHints", "prepareCallHierarchy", "prepareTypeHierarchy"])
    middleware[name] = (document, ...rest) => {
      const next = rest.pop();
      return kernelsOnly(document, () => next(document, ...rest), null);
    };
  return middleware;
}

async function start(context) {
  const settings = vscode.workspace.getConfiguration("clmali");
  const command = serverPath(settings, context.extensionPath);
  if (!command) return;
  const languages = settings.get("hostCode") ? [KERNELS, ...HOSTS] : [KERNELS];
  client = new LanguageClient("clmali", "clmali", { command, args: serverArguments(settings) }, {
    documentSelector: languages.map((language) => ({ scheme: "file", language })),
    outputChannel: output,
    revealOutputChannelOn: 4, // never: findings and messages tell what matters
    middleware: forHosts(),
  });
  try {
    await client.start();
  } catch (problem) {
    vscode.window.showErrorMessage(`clmali: the server does not start: ${problem.message}`);
  }
}

async function restart(context) {
  const old = client;
  client = undefined;
  if (old) await old.stop().catch(() => {});
  await start(context);
}

/** Asks the server for the rewrites at the cursor, lets the user choose one, and starts it. */
async function rewriteKernel() {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.languageId !== KERNELS) return;
  const symbols = (await vscode.commands.executeCommand(
    "vscode.executeDocumentSymbolProvider", editor.document.uri)) || [];
  const around = symbols.find((s) => s.range && s.range.contains(editor.selection.active));
  const range = around ? new vscode.Range(around.selectionRange.start, around.selectionRange.start) : editor.selection;
  const actions = await vscode.commands.executeCommand(
    "vscode.executeCodeActionProvider", editor.document.uri, range, "refactor.rewrite");
  const rewrites = (actions || []).filter((action) => action.command && /^Rewrite '/.test(action.title));
  if (!rewrites.length) {
    vscode.window.showInformationMessage("clmali: put the cursor into a kernel.");
    return;
  }
  const chosen = rewrites.length === 1 ? rewrites[0] : await vscode.window.showQuickPick(
    rewrites.map((action) => ({ label: action.title, command: action.command })), { placeHolder: "Rewrite for" });
  if (chosen) await vscode.commands.executeCommand(chosen.command.command, ...(chosen.command.arguments || []));
}

async function activate(context) {
  output = vscode.window.createOutputChannel("clmali");
  context.subscriptions.push(
    output,
    vscode.commands.registerCommand("clmali.restart", () => restart(context)),
    vscode.commands.registerCommand("clmali.showOutput", () => output.show()),
    vscode.commands.registerCommand("clmali.rewriteKernel", rewriteKernel),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("clmali")) restart(context);
    }));
  await start(context);
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate, isFinding, serverArguments };
