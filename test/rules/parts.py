#!/usr/bin/env python3
"""Each rule has a page, a check, a test and a SARIF entry, and each option has a test. The key `on-guess` is on the
pages of the rules that state what their findings rest on, and on no other. A page lists at most eight exceptions.
Reports what is missing, and checks or tests without a page."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_EXCEPTIONS = 8
SHARED = {"Check", "KnownFindings"}  # helpers of checks, not rules


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", required=True)
    parser.add_argument("--lint", required=True)
    args = parser.parse_args()
    root = pathlib.Path(args.source)
    pages = {p.stem for p in (root / "rules").glob("*.md")}
    checks = {p.stem for p in (root / "checks").glob("*.cpp")} - SHARED
    checks = {c for c in checks if not c[0].isupper()}
    tests = {p.stem.split(".")[0] for p in (root / "test/rules").iterdir()
             if p.suffix in (".cl", ".c", ".cpp") and not p.stem[0].isupper()}
    failures = []
    for what, have in (("check (checks/ID.cpp)", checks), ("test (test/rules/ID.cl, .c or .cpp)", tests)):
        failures += ["%s has no %s" % (rule, what) for rule in sorted(pages - have)]
        failures += ["%s has no page (rules/ID.md)" % rule for rule in sorted(have - pages)]
    for rule in sorted(checks):
        text = (root / "checks" / (rule + ".cpp")).read_text()
        if not re.search(r'CLMALI_(KERNEL|HOST)_CHECK\("%s"' % rule, text):
            failures.append("checks/%s.cpp does not register '%s'" % (rule, rule))
    # A rule that states evidence needs the page's policy for guesses.
    for rule in sorted(checks & pages):
        states = re.search(r"\.restsOn\w*\(", (root / "checks" / (rule + ".cpp")).read_text())
        front = (root / "rules" / (rule + ".md")).read_text().split("---\n")[1]
        has = re.search(r"^on-guess: (drop|info|keep)$", front, re.M)
        if states and not has:
            failures.append("rules/%s.md has no on-guess, and its findings may rest on a guess" % rule)
        if has and not states:
            failures.append("rules/%s.md has on-guess, and checks/%s.cpp states no evidence" % (rule, rule))
    # More exceptions mean that the rule needs a better criterion.
    for page in sorted((root / "rules").glob("*.md")):
        does = re.search(r"^## What it does\n(.*?)(?=^## )", page.read_text(), re.M | re.S).group(1)
        exceptions = does.partition("Exceptions:")[2].count("\n- ")
        if exceptions > MOST_EXCEPTIONS:
            failures.append("rules/%s.md lists %d exceptions, at most %d are allowed" % (page.stem, exceptions, MOST_EXCEPTIONS))
    with tempfile.TemporaryDirectory() as folder:
        kernel = pathlib.Path(folder) / "empty.cl"
        kernel.write_text("__kernel void nothing(void) {}\n")
        done = subprocess.run([args.lint, "--format=sarif", str(kernel)], capture_output=True, text=True)
        driver = json.loads(done.stdout)["runs"][0]["tool"]["driver"]
        entries = {r["id"].removeprefix("clmali-") for r in driver["rules"] if r["help"]["text"] and r["fullDescription"]["text"]}
        failures += ["%s has no SARIF entry" % rule for rule in sorted(pages - entries)]
    # Every option of a page is set by some test.
    tested = "".join(p.read_text() for p in (root / "test/rules").iterdir() if p.is_file())
    for page in (root / "rules").glob("*.md"):
        for option in re.findall(r"\{ name: (\w+), default", page.read_text().split("---\n")[1]):
            if "%s.%s=" % (page.stem, option) not in tested:
                failures.append("option %s.%s has no test" % (page.stem, option))
    print("%d pages, %d checks, %d tests" % (len(pages), len(checks), len(tests)))
    for failure in failures:
        print("FAIL:", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
