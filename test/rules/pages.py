#!/usr/bin/env python3
"""Lints the Bad and Good blocks of every rule page: each Bad block is reported on every family for which the
page has a severity and on no other family; no Good block is reported on any family."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

EXTENSION = {"opencl": ".cl", "c": ".c", "cpp": ".cpp"}
FAMILIES = ["mali-midgard", "mali-bifrost", "mali-valhall", "powervr-rogue", "generic"]
GROUPS = {"mali": FAMILIES[:3], "powervr": ["powervr-rogue"], "all": FAMILIES}


def blocks(page, title):
    section = re.search(r"^## %s\n(.*?)(?=^## |\Z)" % title, page, re.M | re.S).group(1)
    return re.findall(r"^```(\w+)\n(.*?)^```", section, re.M | re.S)


def run(lint, rule, path):
    """({family: number of findings} or None, what was printed): one process for all families."""
    done = subprocess.run([lint, "--format=json", "--fail-on=info", "--device=" + ",".join(FAMILIES),
                           "--checks=-*," + rule, str(path)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return None, "exit status %d\n%s%s" % (done.returncode, done.stdout, done.stderr)
    found = [f for f in json.loads(done.stdout)["findings"] if f["rule"] == rule]
    return {family: sum(family in f["families"] for f in found) for family in FAMILIES}, done.stdout


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lint", required=True)
    parser.add_argument("--rules", required=True)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    failures, ran = [], 0
    for page_file in sorted(pathlib.Path(args.rules).glob("*.md")):
        rule = page_file.stem
        if args.only and rule != args.only:
            continue
        page = page_file.read_text()
        front = yaml.safe_load(page.split("---\n")[1])
        wanted = {f for name in front["families"] for f in GROUPS.get(name, [name])}
        with tempfile.TemporaryDirectory() as folder:
            for title in ("Bad", "Good"):
                for number, (language, code) in enumerate(blocks(page, title)):
                    path = pathlib.Path(folder) / ("%s%d%s" % (title, number, EXTENSION[language]))
                    path.write_text(code)
                    ran += 1
                    counts, text = run(args.lint, rule, path)
                    if counts is None:
                        failures.append("%s: %s block %d cannot be linted:\n%s" %
                                        (rule, title, number, text))
                        continue
                    for family, count in counts.items():
                        expected = title == "Bad" and family in wanted
                        if bool(count) != expected:
                            failures.append("%s: %s block %d: %d findings on %s, %s expected" % (
                                rule, title, number, count, family, "some" if expected else "none"))
    print("%d runs of Bad and Good blocks" % ran)
    if ran == 0:
        failures.append("no block was run")
    for failure in failures:
        print("FAIL:", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
