#!/usr/bin/env python3
"""The registry of passes is what everything else names: the table in rewriters/README.md, the `rewriter:` key
of the rule pages, the fixes that rules offer, the expectations of the golden kernels, the verbs' files."""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def names_in(pattern, files):
    """(file, name) for each name in the comma-separated lists that the pattern's group holds."""
    for file in files:
        for found in re.findall(pattern, file.read_text(errors="replace"), re.M):
            for name in found.split(","):
                yield file.relative_to(ROOT).as_posix(), name.split(":")[0]


def check(passes):
    public = {p["shownAs"] for p in passes} - {""}
    ids = {p["id"] for p in passes}
    failures = ["the name %s has no pass of that id" % n for n in sorted(public - ids)]
    failures += ["%s has no sentence that says what it does" % p["id"] for p in passes if not p["does"].endswith(".")]
    failures += ["rewriters/%s.cpp is missing" % n for n in sorted(public) if not (ROOT / "rewriters" / (n + ".cpp")).exists()]
    failures += ["rewriters/%s.cpp registers no pass of that name" % f.stem
                 for f in sorted((ROOT / "rewriters").glob("*.cpp")) if f.stem not in public]
    golden = list((ROOT / "test/rewrite").rglob("*.cl"))
    named = [("rewriter: ", names_in(r"^rewriter: ([\w:,-]+)$", (ROOT / "rules").glob("*.md"))),
             ("--passes=", names_in(r"clmali-rewrite --passes=([\w:,-]+)", (ROOT / "checks").glob("*.cpp"))),
             ("expect: ", names_in(r"^// expect:.* (?:passes|run)=([\w:,-]+)", golden))]
    for where, names in named:
        names = list(names)
        if not names:
            failures.append("no file names a pass by '%s': is the search right?" % where)
        failures += ["%s: '%s%s' is no pass" % (file, where, name) for file, name in names if name not in public]
    return failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rewrite", required=True)
    args = parser.parse_args()
    registry = json.loads(subprocess.run([args.rewrite, "--print-passes"], check=True, capture_output=True, text=True).stdout)
    passes = registry["passes"]
    failures = check(passes)
    # The check fails when it should: without one public pass its users are left over.
    without = [p for p in passes if p["shownAs"] != "select"]
    if not any("'rewriter: select' is no pass" in f for f in check(without)):
        failures.append("a rule page that names a pass which does not exist is not found")
    print("%d passes" % len(passes))
    for failure in failures:
        print("FAIL:", failure)
    return 1 if failures or not passes else 0


if __name__ == "__main__":
    sys.exit(main())
