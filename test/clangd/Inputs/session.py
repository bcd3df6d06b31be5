"""Scripted sessions with clmali-clangd: session.py FOLDER NAME... runs the functions with these names."""
import json
import os
import shutil
import sys
import time

from lsp import Client, beside, offset, ours, uri

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = None


def given(name, settings=None):
    """Copies an input to a new folder, with the settings files next to it."""
    folder = os.path.join(FOLDER, name + "-files")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(HERE, folder)
    for file, text in (settings or {}).items():
        with open(os.path.join(folder, file), "w") as f:
            f.write(text)
    return os.path.join(folder, name)


def the(list):
    assert len(list) == 1, list
    return list[0]


def text_at(text, range):
    return text[offset(text, range["start"]):offset(text, range["end"])]


def edits_of(action, name):
    """The edits of one document; clangd sends them in one of two forms."""
    edit = action["edit"]
    if "changes" in edit:
        return edit["changes"][name]
    return [e for d in edit["documentChanges"] if d["textDocument"]["uri"] == name for e in d["edits"]]


# Without any configuration.

def findings():
    begin = time.time()
    c = Client()
    started = time.time()
    name = c.open(given("findings.cl"))
    found = c.diagnostics(name)
    print("start %.0f ms, first diagnostics %.0f ms after opening" % (
        1000 * (started - begin), 1000 * (time.time() - started)))
    assert c.capabilities["serverInfo"]["name"] == "clmali-clangd", c.capabilities["serverInfo"]
    assert not [d for d in found if d["severity"] == 1], found

    division = the(ours(found, "integer-division"))
    assert division["source"] == "clmali" and division["severity"] == 3, division
    assert text_at(c.texts[name], division["range"]) == "w / n", division
    page = division["codeDescription"]["href"]
    assert page.startswith("file://") and page.endswith("/rules/integer-division.md"), page
    # A finding for only some families is information.
    assert {d["severity"] for d in ours(found)} == {2, 3}, found

    # Hover: the rule's page on a finding, with clangd's own text below it; elsewhere only clangd's text.
    at = division["range"]["start"]
    text = c.hover(name, at["line"], at["character"])
    assert "### clmali-integer-division" in text and "#### Why it costs" in text and "---" in text, text
    assert "variable" in text, text
    assert "clmali" not in c.hover(name, 2, 7)
    text = c.hover(name, at["line"], at["character"] + 2)
    assert "clmali-integer-division" in text, "an operator has no hover of clangd's, but ours"

    # A rewrite that fixes the finding is offered there, and nowhere else.
    assert [a for a in c.actions(name, at["line"], at["character"]) if a.get("kind") == "refactor.rewrite"]
    assert not [a for a in c.actions(name, 2, 7) if a.get("kind") == "refactor.rewrite"]

    # A quick-fix after a character of two UTF-16 units.
    clamp = the(ours(found, "manual-clamp"))
    action = [a for a in c.actions(name, clamp["range"]["start"]["line"], clamp["range"]["start"]["character"],
                                   only=["quickfix"], diagnostics=[clamp]) if a.get("edit")]
    edit = the(edits_of(action[0], name))
    before = c.texts[name]
    c.change(name, (edit["range"]["start"]["line"], edit["range"]["start"]["character"]),
             (edit["range"]["end"]["line"], edit["range"]["end"]["character"]), edit["newText"])
    assert "/* 𝄞 */ int v = x[i], w = min(v, 255);" in c.texts[name], c.texts[name]
    assert c.texts[name] != before and not ours(c.diagnostics(name), "manual-clamp")
    c.close()


def clients():
    """For a client without Markdown and code action literals: plain text, and commands."""
    c = Client(capabilities={})
    name = c.open(given("findings.cl"))
    at = the(ours(c.diagnostics(name), "integer-division"))["range"]["start"]
    c.hover(name, at["line"], at["character"])
    commands = [a for a in c.actions(name, 1, 16) if a["command"] == "clmali.rewrite"]
    assert commands and all("kind" not in a for a in commands), commands
    c.request("workspace/executeCommand", {"command": "clmali.rewrite", "arguments": commands[0]["arguments"]})
    assert "does not take edits" in c.message()["message"]
    c.close()

    # Positions in bytes if the client asks for them. The text that is rewritten is the editor's.
    c = Client(program=beside(os.path.join(FOLDER, "clients-bin"), 'head -1 "$text" >&2; exit 1\n'),
               capabilities={"offsetEncoding": ["utf-8"], "workspace": {"applyEdit": True}})
    name = c.open(given("findings.cl"))
    c.notify("textDocument/didChange", {"textDocument": {"uri": name, "version": 2}, "contentChanges": [
        {"range": {"start": {"line": 0, "character": 6}, "end": {"line": 0, "character": 10}}, "text": "note"}]})
    c.request("workspace/executeCommand", {"command": "clmali.rewrite", "arguments": [
        {"uri": name, "kernel": "scale", "device": "generic"}]})
    assert "// Ä note: characters" in c.message()["message"], c.message()
    c.close()


def legacy():
    """Files that do not parse are still linted; dialects are recognised and headers found."""
    c = Client()
    name = c.open(given("legacy.cl"))
    found = c.diagnostics(name)
    assert [d for d in found if d["severity"] == 1 and "DATA_TYPE" in d["message"]], found
    assert ours(found, "integer-division"), found

    name = c.open(given("generic.cl"))
    found = c.diagnostics(name)
    assert ours(found, "integer-division") and not [d for d in found if d["severity"] == 1], found

    # A function of an included header: its body is in clangd's precompiled preamble.
    name = c.open(given("helped.cl"))
    found = c.diagnostics(name)
    assert ours(found, "scalar-global-access"), found
    c.close()


# Host files.

def host():
    c = Client()
    name = c.open(given("host.c"), language="c")
    found = c.diagnostics(name)
    flagged = {text_at(c.texts[name], d["range"]) for d in ours(found)}
    assert the(ours(found, "use-host-ptr"))["range"]["start"]["line"] == 10, found
    double = the(ours(found, "double-precision"))
    # Inside the string, at the exact bytes.
    assert text_at(c.texts[name], double["range"]) in ("2.0", "x[i] * 2.0"), (double, flagged)
    assert not ours(found, "integer-division"), "NOLINT in the kernel's own line"
    fix = [a for a in c.actions(name, double["range"]["start"]["line"], double["range"]["start"]["character"],
                                only=["quickfix"], diagnostics=[double]) if a.get("edit")]
    c.apply({"documentChanges": [{"textDocument": {"uri": name, "version": 1}, "edits": edits_of(fix[0], name)}]})
    assert '"  x[i] = x[i] * 2.0f;\\n"' in c.texts[name], c.texts[name]
    # No rewrites for kernels in strings.
    assert not [a for a in c.actions(name, 3, 20) if a.get("kind") == "refactor.rewrite"]
    c.close()


# Settings.

def settings():
    def rules(name, files, arguments=()):
        c = Client(arguments)
        document = c.open(given(name, files))
        found = {d["code"]: d["severity"] for d in ours(c.diagnostics(document))}
        targets = [a["command"]["arguments"][0]["device"] for a in c.actions(document, 1, 16)
                   if a.get("kind") == "refactor.rewrite"]
        c.close()
        return found, targets

    found, targets = rules("findings.cl", {})
    assert "clmali-integer-division" in found and found["clmali-missing-reqd-work-group-size"] == 3, found
    assert targets == ["mali-midgard", "mali-bifrost", "mali-valhall", "powervr-rogue", "generic"], targets
    # One family: its findings are warnings, and rewrites are for this family only.
    for files, arguments in (({".clang-tidy": "CheckOptions: {Device: powervr-rogue}"}, ()),
                             ({".clangd": "Diagnostics: {ClangTidy: {CheckOptions: {Device: powervr-rogue}}}"}, ()),
                             ({}, ["--clmali-device=powervr-rogue"])):
        found, targets = rules("findings.cl", files, arguments)
        assert found["clmali-missing-reqd-work-group-size"] == 2, (files, found)
        assert targets == ["powervr-rogue"], (files, targets)
    # .clmali.yaml, for settings that the other files do not contain.
    yaml = "device: powervr-rogue\nchecks: -manual-clamp\noptions: { kernel-length: { MinOperations: 1000 } }\n"
    found, targets = rules("findings.cl", {".clmali.yaml": yaml})
    assert found["clmali-missing-reqd-work-group-size"] == 2 and targets == ["powervr-rogue"], (found, targets)
    assert "clmali-manual-clamp" not in found and "clmali-integer-division" in found, found
    assert "clmali-kernel-length" in found, found
    found, targets = rules("findings.cl", {".clmali.yaml": yaml, ".clang-tidy": "CheckOptions: {Device: mali-t604}"})
    assert targets == ["mali-midgard"], targets
    assert not rules("findings.cl", {".clmali.yaml": "exclude: ['*.cl']"})[0]
    c = Client()
    document = c.open(given("findings.cl", {".clmali.yaml": "devise: mali\n"}))
    assert ".clmali.yaml:1:1: " in c.message()["message"], c.shown()
    document = c.open(given("legacy.cl", {".clmali.yaml": "defines: { DATA_TYPE: float }"}))
    found = c.diagnostics(document)
    assert ours(found) and not [d for d in found if d["severity"] == 1], found
    c.close()
    # An unknown family is reported, so the file does not look clean.
    c = Client()
    document = c.open(given("findings.cl", {".clang-tidy": "CheckOptions: {Device: adreno}"}))
    assert ours(c.diagnostics(document), "integer-division")
    assert "unknown device 'adreno'" in c.message()["message"], c.shown()
    c.close()
    # Rules disabled one by one; a project's list of other checks keeps ours enabled; disabling all checks disables ours.
    found, _ = rules("findings.cl", {".clang-tidy": "Checks: '-clmali-integer-division'"})
    assert "clmali-integer-division" not in found and found, found
    found, _ = rules("findings.cl", {".clangd": "Diagnostics: {ClangTidy: {Remove: clmali-integer-division}}"})
    assert "clmali-integer-division" not in found and found, found
    found, _ = rules("findings.cl", {".clang-tidy": "Checks: '-*,bugprone-*'"})
    assert "clmali-integer-division" in found, found
    found, _ = rules("findings.cl", {".clang-tidy": "Checks: '-*,clmali-manual-clamp'"})
    assert set(found) == {"clmali-manual-clamp"}, found
    found, _ = rules("findings.cl", {".clang-tidy": "Checks: '-*'"})
    assert not found, found
    # The compile command of a file.
    c = Client()
    name = c.open(given("legacy.cl", {".clangd": "CompileFlags: {Add: [-DDATA_TYPE=float]}"}))
    found = c.diagnostics(name)
    assert ours(found) and not [d for d in found if d["severity"] == 1], found
    c.close()


def commands():
    """Compile options of C++ files do not apply to kernels; options added by .clangd do."""
    program = beside(os.path.join(FOLDER, "commands-bin"), 'echo "scale: told $*" >&2; exit 1\n')
    path = given("scale.cl", {".clangd": "CompileFlags: {Add: [-DTILE=4, -cl-std=CL2.0]}", "host.cpp": "int x;\n"})
    folder = os.path.dirname(path)
    with open(os.path.join(folder, "compile_commands.json"), "w") as f:
        json.dump([{"directory": folder, "file": "host.cpp",
                    "command": "clang++ -DHOST_ONLY -I/host -std=c++17 -c host.cpp"}], f)
    c = Client(program=program)
    name = c.open(path)
    found = c.diagnostics(name)
    assert not [d for d in found if d["severity"] == 1 and not ours([d])], found
    c.rewrite(name, 0, 16)
    said = c.message()["message"]
    assert said.endswith("scale.cl -- -DTILE=4 -cl-std=CL2.0"), said
    c.close()


# Rewrites.

LAUNCH = """kernel: scale
args:
  - { name: x, buffer: in, count: n }
  - { name: y, buffer: out, count: n }
  - { name: a, value: "1.5" }
  - { name: n, value: n }
global: [ n ]
sizes: [ { n: 64 } ]
"""


def rewrite():
    """With the real clmali-rewrite: a held rewrite of unsaved text arrives as an edit."""
    c = Client()
    path = given("scale.cl", {"scale.launch.yaml": LAUNCH})
    name = c.open(path)
    c.change(name, (0, 0), (0, 0), "// 𝄞 not saved\n")
    c.change(name, (4, 11), (4, 12), "2 * a")  # y[i] = a * x[i]
    # Offered on the kernel's head only, and only if such actions are requested.
    assert not [a for a in c.actions(name, 3, 5) if a.get("kind") == "refactor.rewrite"]
    assert not [a for a in c.actions(name, 1, 16, only=["quickfix"]) if a.get("kind") == "refactor.rewrite"]
    assert "Rewrite 'scale' for Mali Bifrost (G31-G76), verified" in [a["title"] for a in c.actions(name, 1, 16)]

    begin = time.time()
    assert c.rewrite(name, 1, 16, "mali-bifrost") is None
    answered = time.time() - begin
    c.hover(name, 3, 5)
    hovered = time.time() - begin
    assert not c.edits, "this session shows nothing: the rewrite was there before a hover"
    said = c.message()
    print("command answered after %.0f ms, a hover meanwhile after %.0f ms, held after %.1f s" % (
        1000 * answered, 1000 * hovered, time.time() - begin))
    assert said["type"] == 3 and "'scale' for Mali Bifrost" in said["message"] and "held" in said["message"], said
    text = c.texts[name]
    assert "//   scale_v" in text and "//     if " in text, text
    assert "// clmali: rewritten from scale" in text and "// 𝄞 not saved" in text and "2 * a" in text, text
    assert "void smooth" in text and not text.count("void smooth") > 1, text
    assert open(path).read() != text and sorted(os.listdir(os.path.dirname(path))) == sorted(
        os.listdir(HERE) + ["scale.launch.yaml"]), "nothing is written"
    c.until(lambda: c.progress("end"), "end of the progress")
    assert c.progress("begin") and c.progress("begin")[0]["cancellable"], c.seen
    # The inserted text also parses in the editor.
    c.change(name, (0, 0), (0, 0), text[:0])
    c.close()


def refused():
    c = Client()
    name = c.open(given("scale.cl"))
    c.rewrite(name, 6, 16, "mali-midgard")
    said = c.message()
    assert said["type"] == 2 and "'smooth'" in said["message"] and "refused" in said["message"], said
    assert "racy-original" in said["message"], said
    assert not c.edits
    c.close()


def no_device():
    c = Client(["--clmali-platform=no-such-device"])
    name = c.open(given("scale.cl", {"scale.launch.yaml": LAUNCH}))
    c.rewrite(name, 0, 16)
    said = c.message()
    assert said["type"] == 2 and "inconclusive" in said["message"] and not c.edits, said
    c.close()


def verdicts():
    """All outcomes of clmali-rewrite, played by a script."""
    def say(code, text, log="scale: told so"):
        return beside(os.path.join(FOLDER, "verdicts-bin"), """
printf '%%s\\n' '%s' >&2
%s
exit %d
""" % (log, text, code))

    write = '{ echo "// clmali: rewritten from scale"; echo "// Do so; see the manifest for the remainder."; cat "$text"; } > "$out"'
    for code, text, kind, word in ((3, write, 2, "refuted"), (4, write, 2, "inconclusive"), (1, write, 2, "refused"),
                                   (2, write, 1, "cannot be rewritten"), (7, write, 1, "unexpectedly"),
                                   (0, "true", 2, "nothing changes"), (0, write, 3, "told so"),
                                   (7, "kill -SEGV $$", 1, "unexpectedly")):
        c = Client(program=say(code, text))
        name = c.open(given("scale.cl"))
        c.rewrite(name, 0, 16)
        said = c.message()
        assert said["type"] == kind and word in said["message"], (code, said)
        assert bool(c.edits) == (code == 0 and text == write), (code, c.edits)
        if c.edits:  # with the whole contract in the comment, since no manifest is written
            assert c.texts[name].startswith("// clmali: rewritten from scale\n// Do so; the remainder is below.\n// The host launches"), c.texts
            assert "//   scale_v4: global (gx / 4), local NULL, offset (ox)\n//     if gx % 4 == 0\n" in c.texts[name]
            assert "// assumed: what the test assumes\n__kernel" in c.texts[name], c.texts[name]
        if word in ("refuted", "inconclusive", "refused"):
            assert "told so" in said["message"], said
        c.close()

    # The figures of a compiler are shown with the verdict.
    figures = "compiled, mesa 1 for mali-g52: cycles for each original work-item 8.00 -> 0.50"
    c = Client(program=say(0, write, "scale: held, compiled 16.0x\n    " + figures + "\nwrote out.cl"))
    c.rewrite(c.open(given("scale.cl")), 0, 16)
    said = c.message()["message"]
    assert "held, compiled 16.0x (" + figures + ")." in said, said
    c.close()

    # The editor rejects the edit.
    c = Client(program=say(0, write))
    c.apply_edits = False
    c.rewrite(c.open(given("scale.cl")), 0, 16)
    said = c.message()
    assert said["type"] == 2 and "did not take the edit" in said["message"], said
    c.close()

    # The text changes, or the user cancels, while it runs; a second rewrite waits.
    slow = say(0, write + "\nsleep 2")
    c = Client(program=slow)
    name = c.open(given("scale.cl"))
    c.rewrite(name, 0, 16)
    c.rewrite(name, 6, 16)
    assert "is being rewritten" in c.message()["message"]
    c.change(name, (0, 0), (0, 0), "\n")
    c.until(lambda: len(c.shown()) == 2, "message")
    assert "changed meanwhile" in c.message()["message"] and not c.edits, c.shown()
    c.close()

    endless = say(0, "sleep 1000")
    c = Client(program=endless)
    name = c.open(given("scale.cl"))
    c.rewrite(name, 0, 16)
    c.until(lambda: c.progress("begin"), "progress")
    # clangd reports the progress of its index, too.
    token = [m["params"]["token"] for m in c.seen
             if m["method"] == "$/progress" and str(m["params"]["token"]).startswith("clmali-")][0]
    c.notify("window/workDoneProgress/cancel", {"token": token})
    assert "cancelled" in c.message()["message"] and not c.edits
    c.rewrite(name, 0, 16)  # another rewrite may start; the end of the session ends it
    begin = time.time()
    c.close()
    assert time.time() - begin < 60


# Unusual sessions.

def odd():
    import subprocess
    # The editor exits without a shutdown request.
    c = Client()
    c.open(given("scale.cl"))
    c.process.stdin.close()
    assert c.process.wait(timeout=60) is not None
    # No message.
    assert subprocess.run(["clmali-clangd", "--log=error"], stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=60).returncode is not None
    # A document that is not a file; a change past the end; an unknown request.
    c = Client()
    c.notify("textDocument/didOpen", {"textDocument": {"uri": "untitled:1", "languageId": "opencl", "version": 1,
                                                      "text": "__kernel void k() {}"}})
    name = c.open(given("scale.cl"))
    c.change(name, (10, 0), (10, 0), "// the end")
    c.diagnostics(name)
    assert "error" in c.answer(c.ask("clmali/nonsense", {}))
    answer = c.answer(c.ask("workspace/executeCommand", {"command": "clmali.nonsense", "arguments": []}))
    assert "error" in answer, answer
    c.request("workspace/executeCommand", {"command": "clmali.rewrite", "arguments": [{"uri": "file:///absent.cl"}]})
    assert "is not open" in c.message()["message"]
    c.close()


if __name__ == "__main__":
    FOLDER = sys.argv[1]
    os.makedirs(FOLDER, exist_ok=True)
    for case in sys.argv[2:]:
        globals()[case]()
        print(case + ": as it should be")
