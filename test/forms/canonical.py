#!/usr/bin/env python3
"""Compares the canonical forms of the spellings of each computation in this folder with canonical.txt.

canonical.txt has one line for each computation: its spellings in groups of equal canonical form, separated by "|", and
where there are several groups, the reason. A line that no longer holds fails the test, also where fewer groups are
left: then the line is updated.

  gemm: in_memory | plain pointers    # in_memory computes its addresses in size_t
"""
import argparse
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def groups(program, folder):
    """The spellings of a folder by canonical form, sorted."""
    files = sorted(f for f in glob.glob(os.path.join(folder, "*.cl")) if os.path.basename(f) != "reference.cl")
    by_hash = {}
    for f in files:
        text = subprocess.run([program, f], stdout=subprocess.PIPE, text=True, check=True).stdout
        by_hash.setdefault(text.split(" ", 1)[0], []).append(os.path.basename(f)[:-len(".cl")])
    return sorted(sorted(g) for g in by_hash.values())


def expected(path):
    lines = {}
    with open(path) as f:
        for line in f:
            body, _, reason = line.partition("#")
            if not body.strip():
                continue
            name, _, rest = body.partition(":")
            found = sorted(sorted(g.split()) for g in rest.split("|"))
            if len(found) > 1 and not reason.strip():
                sys.exit(f"canonical.txt: {name} has several forms and no reason")
            lines[name] = found
    return lines


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--program", required=True, help="clmali-canonical-form")
    p.add_argument("--print", action="store_true", help="print the lines as they are now")
    args = p.parse_args()
    want = expected(os.path.join(HERE, "canonical.txt")) if not args.print else {}
    wrong = 0
    for folder in sorted(glob.glob(os.path.join(HERE, "*", "launch.yaml"))):
        folder = os.path.dirname(folder)
        name = os.path.basename(folder)
        got = groups(args.program, folder)
        text = " | ".join(" ".join(g) for g in got)
        if args.print:
            print(f"{name}: {text}")
        elif got != want.get(name):
            wrong += 1
            print(f"{name}: now {text}; canonical.txt says "
                  + " | ".join(" ".join(g) for g in want.get(name, [["nothing"]])))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
