#!/usr/bin/env python3
"""Compares the findings of one rule (named by the test file) with the marks in the source.

  code // HIT: part of the message               expected on every family for which the page has a severity
  code // HIT(powervr-rogue): 16-way             expected on these families only
  code // miss: the one fact that differs        why there is no finding; only counted

A finding without a mark fails the test, and so does a mark without a finding. There must be at least as
many misses as hits (--no-balance: not checked). Other arguments after the file go to clmali-lint."""
import json
import pathlib
import re
import subprocess
import sys

import yaml

FAMILIES = ["mali-midgard", "mali-bifrost", "mali-valhall", "powervr-rogue"]
GROUPS = {"mali": FAMILIES[:3], "powervr": ["powervr-rogue"], "all": FAMILIES}


def main():
    source, extra = pathlib.Path(sys.argv[1]), sys.argv[2:]
    count_misses = "--no-balance" not in extra
    extra = [e for e in extra if e != "--no-balance"]
    rule = source.stem.split(".")[0]
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    front = yaml.safe_load((root / "rules" / (rule + ".md")).read_text().split("---\n")[1])
    wanted = [f for f in FAMILIES
              if any(f in GROUPS.get(name, [name]) for name in front["families"])]
    text = source.read_text()
    hits, misses = [], text.count("// miss:")
    for number, line in enumerate(text.split("\n"), 1):
        for families, message in re.findall(r"// HIT(?:\(([\w,-]+)\))?: *((?:(?!// HIT).)*)", line):
            hits.append((number, families.split(",") if families else wanted, message.strip()))
    failures = []
    done = subprocess.run(["clmali-lint", "--format=json", "--fail-on=info", "--device=" + ",".join(FAMILIES),
                           "--checks=-*," + rule, str(source)] + extra,
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        print("exit status %d\n%s%s" % (done.returncode, done.stdout, done.stderr))
        return 1
    findings = json.loads(done.stdout)["findings"]
    for family in FAMILIES:
        found = [(f["line"], f.get("messageByFamily", {}).get(family, f["message"]))
                 for f in findings if family in f["families"]]
        for number, families, message in hits:
            if family not in families:
                continue
            match = [f for f in found if f[0] == number and message in f[1]]
            if not match:
                failures.append("%s: line %d: no finding with '%s'" % (family, number, message))
                near = [f for f in found if f[0] == number]
                failures += ["    but: " + f[1] for f in near]
            for f in match[:1]:
                found.remove(f)
        failures += ["%s: line %d: no mark for: %s" % (family, number, message)
                     for number, message in found]
    if not hits:
        failures.append("the test has no HIT")
    if count_misses and misses < len(hits):
        failures.append("%d hits, but only %d misses" % (len(hits), misses))
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
