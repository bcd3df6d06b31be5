"""The settings for VS Code's clangd extension: valid JSON with only keys of the extension and of VS Code itself, and an
absolute path, because the extension does not search in PATH; clmali-clangd starts with their arguments and accepts a .cl
file whose language is given as C."""
import json
import os
import sys

from lsp import Client, ours

folder = sys.argv[1]
settings = json.load(open(os.path.join(folder, "settings.json")))
assert set(settings) == {"clangd.path", "clangd.arguments", "files.associations"}, settings
assert json.load(open(os.path.join(folder, "extensions.json")))["recommendations"] == [
    "llvm-vs-code-extensions.vscode-clangd"]
# The extension handles documents of these languages only.
assert set(settings["files.associations"].values()) <= {"c", "cpp"}
assert os.path.isabs(settings["clangd.path"]), settings
c = Client(settings["clangd.arguments"], program=os.path.basename(settings["clangd.path"]))
name = c.open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "findings.cl"), language="c")
assert ours(c.diagnostics(name), "integer-division")
assert [a for a in c.actions(name, 1, 16) if a.get("kind") == "refactor.rewrite"]
c.close()
