#!/usr/bin/env python3
"""Rewrites the spellings of this folder's kernels for each Mali family, with the judge: each must be held, or be left as
it is because nothing pays.

Without --all, a subset chosen by a hash of the names: one spelling of each kernel, for one family. The sizes in the
launch files are not multiples of a block. Exit: 0, 1 where one was not held, 2 without the program or a device.
"""
import argparse
import glob
import hashlib
import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tools", "fuzz"))
import harness  # noqa: E402

FAMILIES = ["mali-midgard", "mali-bifrost", "mali-valhall"]


def number(text):
    return int(hashlib.sha256(text.encode()).hexdigest()[:8], 16)


def jobs(everything):
    for launch in sorted(glob.glob(os.path.join(HERE, "*", "launch.yaml"))):
        folder = os.path.dirname(launch)
        name = os.path.basename(folder)
        files = sorted(f for f in glob.glob(os.path.join(folder, "*.cl")) if os.path.basename(f) != "reference.cl")
        if everything:
            yield from ((launch, f, d) for f in files for d in FAMILIES)
        else:
            yield launch, files[number(name) % len(files)], FAMILIES[number(name + "/family") % len(FAMILIES)]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--build", default=harness.default_build())
    p.add_argument("--all", action="store_true")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    args = p.parse_args()
    binary = harness.program(args.build, "clmali-rewrite")
    if not binary:
        print("clmali-rewrite is not built")
        return 2
    wrong, held, paid = [], 0, 0
    with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(args.jobs) as pool:
        def one(job):
            number_of, (launch, path, device) = job
            return job[1], harness.rewrite(binary, path, launch, os.path.join(work, str(number_of)),
                                           ["--device=" + device], timeout=500)
        for (launch, path, device), r in pool.map(one, enumerate(jobs(args.all))):
            what = "%s for %s" % (os.path.relpath(path, HERE), device)
            if r.code == 0 and r.source:
                held += 1
            elif r.code == 1 and r.refusals == ["nothing-pays"]:
                paid += 1
            else:
                wrong.append(what)
                print("%s: exit %d\n%s" % (what, r.code, "\n".join(r.text.strip().split("\n")[-8:])), flush=True)
    print("%d held, %d where nothing pays, %d not held" % (held, paid, len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
