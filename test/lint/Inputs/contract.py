"""Checks a JSON report against the contract: fields, their types, their order, and that every location is inside the
file."""
import json
import sys

report = json.load(open(sys.argv[1]))
lines = open(sys.argv[2], "rb").read().split(b"\n")
assert sorted(report) == ["errors", "findings", "notes", "version"], sorted(report)
findings = report["findings"]
assert findings, "no findings"
for f in findings:
    # messageByFamily is there where the message differs by family.
    assert sorted(set(f) - {"messageByFamily"}) == sorted(["rule", "severity", "file", "line", "column", "endLine", "endColumn",
                                "kernel", "message", "families", "fixes", "notes"]), sorted(f)
    assert f["severity"] in ("info", "warning", "error"), f
    assert 1 <= f["line"] <= f["endLine"] <= len(lines), f
    assert 1 <= f["column"] <= len(lines[f["line"] - 1]) + 1, f
    assert (f["line"], f["column"]) < (f["endLine"], f["endColumn"]), f
    assert f["families"] and all(x.startswith("mali-") for x in f["families"]), f
    for fix in f["fixes"]:
        assert fix["applicability"] in ("safe", "verify", "unsafe"), fix
        for edit in fix["edits"]:
            assert sorted(edit) == ["file", "length", "offset", "text"], edit
keys = [(f["file"], f["line"], f["column"], f["rule"]) for f in findings]
assert keys == sorted(keys), "not sorted"
