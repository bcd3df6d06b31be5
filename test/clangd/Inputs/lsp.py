"""A minimal client of the language server protocol over stdio, for scripted sessions."""
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
import urllib.parse

PATIENCE = 120  # seconds, generous for a loaded machine


def uri(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


class Client:
    def __init__(self, arguments=(), program="clmali-clangd", capabilities=None, cwd=None, env=None):
        self.process = subprocess.Popen([program, "--log=error", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd, env=env)
        self.messages = queue.Queue()
        self.seen = []  # notifications and requests from the server, in order
        self.answers = {}
        self.edits = []
        self.apply_edits = True
        self.last = 0
        self.versions = {}
        self.texts = {}
        self.log = []
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._drain, daemon=True).start()
        self.capabilities = self.request("initialize", {
            "processId": os.getpid(), "rootUri": None,
            "capabilities": capabilities if capabilities is not None else {
                "window": {"workDoneProgress": True},
                "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}},
                "textDocument": {
                    "hover": {"contentFormat": ["markdown", "plaintext"]},
                    "publishDiagnostics": {"codeDescriptionSupport": True, "relatedInformation": True},
                    "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": [
                        "quickfix", "refactor", "refactor.rewrite"]}}}}}})
        self.notify("initialized", {})

    # Transport.
    def _listen(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    self.messages.put(None)
                    return
                line = line.strip()
                if not line:
                    break
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            self.messages.put(json.loads(out.read(length)))

    def _drain(self):
        for line in self.process.stderr:
            self.log.append(line.decode(errors="replace"))

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        return self.last

    def request(self, method, params):
        answer = self.answer(self.ask(method, params))
        assert "error" not in answer, (method, answer)
        return answer["result"]

    def answer(self, number):
        self.until(lambda: number in self.answers, "an answer to request %d" % number)
        return self.answers.pop(number)

    def step(self, timeout):
        message = self.messages.get(timeout=timeout)
        if message is None:
            raise EOFError("the server hung up: " + "".join(self.log[-5:]))
        if "method" in message:
            self.seen.append(message)
            if "id" in message:
                result = None
                if message["method"] == "workspace/applyEdit":
                    self.edits.append(message["params"]["edit"])
                    result = {"applied": self.apply_edits}
                    if self.apply_edits:
                        self.apply(message["params"]["edit"])
                self.send({"id": message["id"], "result": result})
        else:
            self.answers[message["id"]] = message

    def until(self, condition, what):
        end = time.time() + PATIENCE
        while not condition():
            try:
                self.step(max(0.01, end - time.time()))
            except queue.Empty:
                sys.exit("no %s within %d s; last seen: %s\n%s" % (what, PATIENCE, self.seen[-3:], "".join(self.log[-5:])))

    # Documents.
    def open(self, path, language="opencl", text=None):
        name = uri(path)
        self.versions[name] = 1
        self.texts[name] = open(path, newline="").read() if text is None else text
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": name, "languageId": language, "version": 1, "text": self.texts[name]}})
        return name

    def change(self, name, start, end, text):
        """Replaces the text between two positions (line, UTF-16 character) and sends this change."""
        self.versions[name] += 1
        where = {"start": {"line": start[0], "character": start[1]}, "end": {"line": end[0], "character": end[1]}}
        self.texts[name] = replaced(self.texts[name], where, text)
        self.notify("textDocument/didChange", {"textDocument": {"uri": name, "version": self.versions[name]},
                                               "contentChanges": [{"range": where, "text": text}]})

    def apply(self, edit):
        for change in edit["documentChanges"]:
            document = change["textDocument"]
            assert document["version"] == self.versions[document["uri"]], (document, self.versions)
            for e in change["edits"]:
                self.texts[document["uri"]] = replaced(self.texts[document["uri"]], e["range"], e["newText"])

    def diagnostics(self, name, version=None):
        """The diagnostics of the newest text, or of a version."""
        version = version or self.versions[name]

        def published():
            return [m["params"]["diagnostics"] for m in self.seen
                    if m["method"] == "textDocument/publishDiagnostics" and m["params"]["uri"] == name
                    and m["params"].get("version", version) >= version]
        self.until(published, "diagnostics of %s" % name)
        return published()[-1]

    def hover(self, name, line, character):
        result = self.request("textDocument/hover", {"textDocument": {"uri": name},
                                                     "position": {"line": line, "character": character}})
        return result["contents"]["value"] if result else ""

    def actions(self, name, line, character, only=None, diagnostics=()):
        at = {"line": line, "character": character}
        context = {"diagnostics": list(diagnostics)}
        if only:
            context["only"] = only
        return self.request("textDocument/codeAction", {"textDocument": {"uri": name},
                                                        "range": {"start": at, "end": at}, "context": context}) or []

    def shown(self):
        return [m["params"] for m in self.seen if m["method"] == "window/showMessage"]

    def message(self):
        """The one message to the user: already received, or the next one."""
        self.until(lambda: self.shown(), "message")
        return self.shown()[-1]

    def progress(self, kind):
        return [m["params"]["value"] for m in self.seen
                if m["method"] == "$/progress" and m["params"]["value"]["kind"] == kind
                and str(m["params"]["token"]).startswith("clmali-")]

    def rewrite(self, name, line, character, device="generic"):
        """Runs the code action for a device."""
        for a in self.actions(name, line, character, only=["refactor.rewrite"]):
            if a["command"]["arguments"][0]["device"] == device:
                return self.request("workspace/executeCommand", {
                    "command": a["command"]["command"], "arguments": a["command"]["arguments"]})
        sys.exit("no rewrite for %s is offered" % device)

    def close(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        code = self.process.wait(timeout=PATIENCE)
        assert code == 0, "exit code %d after shutdown and exit" % code


def offset(text, at):
    """The index in text of a position whose character counts UTF-16 units."""
    lines = text.split("\n")
    if at["line"] >= len(lines):
        return len(text)
    start = sum(len(l) + 1 for l in lines[:at["line"]])
    units = 0
    for i, c in enumerate(lines[at["line"]]):
        if units >= at["character"]:
            return start + i
        units += 2 if ord(c) > 0xFFFF else 1
    return start + len(lines[at["line"]])


def replaced(text, where, new):
    return text[:offset(text, where["start"])] + new + text[offset(text, where["end"]):]


def ours(diagnostics, rule=None):
    return [d for d in diagnostics if str(d.get("code", "")).startswith("clmali-" + (rule or ""))]


MANIFEST = json.dumps({"version": 1, "kernels": [{
    "original": "scale", "obligations": [{"text": "what the test assumes", "state": "assumed"}], "options": "",
    "defines": {}, "source": "sha256:0", "tool": "test", "passes": ["none"],
    "launches": [{"kernel": "scale_v4", "when": "gx % 4 == 0", "global": ["gx / 4"], "local": None,
                  "offset": ["ox"]}]}]})


def beside(folder, script):
    """A folder with clmali-clangd and, as clmali-rewrite, a shell script that reads the text from $text and writes its
    result to $out and $manifest."""
    script = """
for a in "$@"; do case $a in --text=*) text=${a#--text=};; esac; done
out=$(dirname "$text")/out.cl manifest=$(dirname "$text")/out.json
printf '%s' '""" + MANIFEST + """' > "$manifest"
""" + script
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "clmali-clangd")
    source = os.path.realpath(shutil.which("clmali-clangd"))
    if os.path.exists(program):
        os.remove(program)
    try:
        os.link(source, program)
    except OSError:
        shutil.copy(source, program)
    rewriter = os.path.join(folder, "clmali-rewrite")
    with open(rewriter, "w") as f:
        f.write("#!/bin/sh\n" + script)
    os.chmod(rewriter, 0o755)
    return program
