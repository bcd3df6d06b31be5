#!/usr/bin/env python3
"""Runs every fix that a rule offers through the rewriter.

Sources: the kernels of test/rules/*.cl and the Bad blocks of the rule pages. A finding that offers
`clmali-rewrite --passes=X` promises that the pass X accepts the kernel. For each kernel, list of
passes and one family of each group, this runs `clmali-rewrite --passes=X --kernel=K --no-verify`.
The fix is refused if the rewriter writes nothing, or if a pass of the list is not among those that
it applied. --share=N takes one of N kernels (by a hash of the file's and the kernel's names) for
the offers of vectorize, which are many; counts of KNOWN hold for --share=1 and are upper limits
otherwise.

What is refused and cannot be mended yet stands in KNOWN, by rule and pass, with the number of refused
fixes and the reason. The number may only shrink: a smaller one fails the test, too, until KNOWN
says so."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

FAMILIES = ["mali-midgard", "mali-bifrost", "mali-valhall", "powervr-rogue"]
OFFER = re.compile(r"clmali-rewrite --passes=([\w,:-]+)")
BROKEN = re.compile(r"(racy-original|divergent-barrier) \(plan\): .*mend this first")
APPLIED = re.compile(r": not verified with \[([^\]]*)\]")

# (rule, passes): (refused fixes, reason)
KNOWN = {
    ("column-major-access", "swap-dimensions"): (2, "the cost model sees no gain"),
    ("divergent-branch", "select"): (3, "the cost model sees no gain in two, and one stores nothing"),
    ("local-copy-barrier", "delocalize"): (
        6, "elements accessed by components; a row that may continue in the next one"),
    ("manual-local-preload", "localize"): (1, "elements accessed by components"),
    ("scalar-arithmetic", "vectorize"): (
        45, "a branch that differs between neighbours and cannot be masked; the cost model sees no"
            " gain"),
    ("scalar-global-access", "vectorize"): (20, "the same"),
    ("scalar-byte-load", "vectorize"): (4, "the same"),
    ("strided-local-access", "spread-banks"): (
        13, "the group's size is not known, or no layout is known to be faster"),
    ("wide-integer", "vectorize,narrow"): (
        9, "narrow proves less about ranges than the rule, or the cost model sees no gain"),
}


def sources(root, folder):
    """The kernels of the rule tests, and the Bad blocks of the pages as files of their own."""
    for path in sorted((root / "test" / "rules").glob("*.cl")):
        yield path
    for page in sorted((root / "rules").glob("*.md")):
        section = re.search(r"^## Bad\n(.*?)(?=^## |\Z)", page.read_text(), re.M | re.S)
        blocks = re.findall(r"^```opencl\n(.*?)^```", section.group(1), re.M | re.S) if section else []
        for number, code in enumerate(blocks):
            path = folder / ("%s.page%d.cl" % (page.stem, number))
            path.write_text(code)
            yield path


def offering_rules(root):
    return sorted(page.stem for page in (root / "rules").glob("*.md")
                  if re.search(r"^rewriter:", page.read_text(), re.M))


def offers(lint, path, rules):
    """The fixes that the findings in the file offer:
    {(rule, kernel, passes, family): lines}. The families of a group differ little in what a pass
    accepts, so one of Mali's and PowerVR are enough."""
    done = subprocess.run([lint, "--no-cache", "--no-config", "--format=json", "--fail-on=error",
                           "--checks=-*," + ",".join(rules), str(path)],
                          capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit("%s: exit status %d\n%s" % (path, done.returncode, done.stderr))
    found = collections.defaultdict(list)
    for finding in json.loads(done.stdout)["findings"]:
        for fix in finding["fixes"]:
            match = OFFER.search(fix["message"])
            if match and fix["applicability"] == "verify":
                offer = finding["rule"], finding["kernel"], match.group(1)
                mali = [f for f in FAMILIES[:3] if f in finding["families"]]
                for family in mali[-1:] + [f for f in FAMILIES[3:] if f in finding["families"]]:
                    found[(*offer, family)].append(finding["line"])
    return found


def refusal(rewrite, path, family, kernel, passes):
    """Why the rewriter does not apply the passes; empty where it does. None: it needs the macros
    that the host defines, which the linter guesses; or the kernel has a race or a divergent barrier,
    which the linter reports as an error of its own."""
    done = subprocess.run([rewrite, "--device=" + family, "--kernel=" + kernel, "--passes=" + passes,
                           "--no-verify", "--explain-refusals", str(path)],
                          capture_output=True, text=True)
    applied = APPLIED.search(done.stderr)
    if applied is None and ("does not parse" in done.stderr or BROKEN.search(done.stderr)):
        return None
    if applied is None:
        return " ".join(done.stderr.split())[:400] or "exit status %d" % done.returncode
    def verbs(text):
        return {p.split(":")[0].strip() for p in text.split(",")}
    missing = verbs(passes) - verbs(applied.group(1))
    if not missing:
        return ""
    return "not applied: %s (only [%s])" % (", ".join(sorted(missing)), applied.group(1))


def of_share(name, share):
    return zlib.crc32(name.encode()) % share == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", default=str(pathlib.Path(__file__).resolve().parent.parent.parent))
    parser.add_argument("--bin", required=True, help="folder of clmali-lint and clmali-rewrite")
    parser.add_argument("--only", default="", help="offers of these rules only: a,b")
    parser.add_argument("--share", type=int, default=1, help="one of N offers of vectorize")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    root = pathlib.Path(args.root)
    lint, rewrite = (str(pathlib.Path(args.bin) / name) for name in ("clmali-lint", "clmali-rewrite"))
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        rules = args.only.split(",") if args.only else offering_rules(root)
        files = list(sources(root, pathlib.Path(folder)))
        found = pool.map(lambda path: (path, offers(lint, path, rules)), files)
        jobs = [(path, family, rule, kernel, passes, lines) for path, offered in found
                for (rule, kernel, passes, family), lines in offered.items()
                if "vectorize" not in passes or of_share(path.name + kernel, args.share)]
        # Several rules may offer one fix.
        fixes = sorted({(job[0], job[1], job[3], job[4]) for job in jobs})
        reasons = dict(zip(fixes, pool.map(lambda fix: refusal(rewrite, *fix), fixes)))
        results = [reasons[job[0], job[1], job[3], job[4]] for job in jobs]
    # The same kernel on several families is one fix: refused where one family refuses it.
    unparsed, refused = set(), collections.defaultdict(dict)
    all_offers = collections.defaultdict(set)
    for (path, family, rule, kernel, passes, lines), why in zip(jobs, results):
        if why is None:
            unparsed.add(path.name)
            continue
        all_offers[rule, passes].add((path.name, kernel))
        if why:
            refused[rule, passes].setdefault((path.name, kernel), []).append((family, lines, why))
    print("not run (macros of the host, broken kernels): " + ", ".join(sorted(unparsed)))
    failures = []
    for key in sorted(set(all_offers) | {k for k in KNOWN if k[0] in rules}):
        count, known = len(refused[key]), KNOWN.get(key, (0, ""))[0]
        print("%s, %s: %d of %d refused" % (*key, count, len(all_offers[key])))
        if count > known or args.verbose:
            for (name, kernel), whys in sorted(refused[key].items()):
                for family, lines, why in whys[:1]:
                    print("  %s: %s (lines %s, %s): %s" % (name, kernel, lines, family, why))
        if count > known:
            failures.append("%s offers %s %d times where the pass refuses; %d are known"
                            % (*key, count, known))
        if count < known and args.share == 1:
            failures.append("%s, %s: only %d are refused; KNOWN says %d: lower it"
                            % (*key, count, known))
    if not jobs:
        failures.append("no fix is offered anywhere")
    for failure in failures:
        print("FAIL:", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
