#!/usr/bin/env python3
"""Judges each reference.cl of this folder's kernels against one of the spellings, with a manifest made from its head:

  // block: 4x1       original work-items that one work-item does, in each dimension
  // border: 4x1      original work-items at both ends of each dimension that the original does (multiples of the block)
  // size: w x h      where the original's work-items end, if its guard ends before the NDRange
  // when: n % 4 == 0 condition of the reference, over the NDRange and the scalar arguments
  // steps: 4         iterations of the original's loops in one of its own (for the figures of tools/bench --forms)

The original does borders, remainders, and everything where the condition is not met. Exit: 0, 1 where one was not held,
2 without the program or a device.
"""
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "fuzz"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "compilers"))
import forms  # noqa: E402
import harness  # noqa: E402


def launches(original, text):
    """The entries "launches" of the manifest: the reference inside, the original around it."""
    block = forms.block(text)
    n = len(block)
    border = [int(b) for b in forms.head(text, "border", "x".join("0" * n)).split("x")]
    whole = ["g" + d for d in "xyz"[:n]]
    size = forms.head(text, "size", " x ".join(whole)).split(" x ")
    inside = [f"({s}) / {k} - {2 * b // k}" for s, k, b in zip(size, block, border)]
    when = " && ".join(f"({i}) > 0 && {g} >= ({s})" for i, g, s in zip(inside, whole, size))
    when += " && o%s == 0" % " == 0 && o".join("xyz"[:n])
    when += "".join(f" && g{d} == 1" for d in "xyz"[n:])
    if forms.head(text, "when"):
        when += f" && {forms.head(text, 'when')}"

    def entry(kernel, condition, sizes, offset):
        return {"kernel": kernel, "when": condition, "global": sizes, "local": None, "offset": offset}

    yield entry(original + "_reference", when, inside, [str(b // k) for b, k in zip(border, block)])
    for d in range(n):  # what is left before and behind the inside of dimension d
        end = f"({border[d]} + ({inside[d]}) * {block[d]})"
        for begin, length in (("0", str(border[d])), (end, f"{whole[d]} - {end}")):
            yield entry(original, f"{when} && {length} > 0",
                        [f"({inside[e]}) * {block[e]}" for e in range(d)] + [length] + whole[d + 1:],
                        [str(border[e]) for e in range(d)] + [begin] + ["0"] * (n - d - 1))
    yield entry(original, f"({when}) == 0", whole, ["o" + d for d in "xyz"[:n]])


def judge(binary, folder, work):
    """The exit code of clmali-run, and what it printed."""
    with open(os.path.join(folder, "reference.cl")) as f:
        text = f.read()
    spelling = sorted(f for f in glob.glob(os.path.join(folder, "*.cl")) if not f.endswith("/reference.cl"))[0]
    with open(spelling) as f:
        original = f.read()
    name = re.search(r"__kernel void (\w+)", text).group(1)
    base = os.path.join(work, os.path.basename(folder))
    rewritten, manifest = base + ".cl", base + ".json"
    with open(rewritten, "w") as f:
        f.write(original + text.replace(f"__kernel void {name}(", f"__kernel void {name}_reference("))
    with open(manifest, "w") as f:
        json.dump({"version": 1, "kernels": [{
            "original": name, "launches": list(launches(name, text)), "require": [], "obligations": [], "options": "",
            "defines": {}, "tool": "by hand", "passes": ["by hand"]}]}, f)
    done = subprocess.run([binary, "--against=" + rewritten, "--manifest=" + manifest,
                           os.path.join(folder, "launch.yaml"), spelling], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=harness.default_build())
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    p.add_argument("names", nargs="*", help="only these folders")
    args = p.parse_args()
    binary = harness.program(args.build, "clmali-run")
    if not binary:
        print("clmali-run is not built")
        return 2
    folders = [os.path.dirname(f) for f in sorted(glob.glob(os.path.join(HERE, "*", "reference.cl")))]
    folders = [f for f in folders if not args.names or os.path.basename(f) in args.names]
    wrong = 0
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(args.jobs) as pool:
        for folder, (code, text) in zip(folders, pool.map(lambda f: judge(binary, f, work), folders)):
            lines = text.strip().split("\n")
            print(f"{os.path.basename(folder)}: " + (
                "held" if code == 0 else "exit %d\n%s" % (code, "\n".join(lines[-12:]))), flush=True)
            wrong += code != 0
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
