#!/usr/bin/env python3
"""Checks the kernels of the systems that tools/systems.py knows.

usage: check-systems.py BUILD [--all]

  - every launch file runs, and the form by hand has the kernel's result, at the sizes of the launch file: by the
    independent runner; where a tolerance is allowed, and with --all everywhere, by clmali-run --against with the
    parts of the judge that are quick;
  - the tables of the READMEs are those of the stored figures, and those are of the present kernels.

Exit: 0 all is so, 1 not.
"""
import concurrent.futures
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "tools"), os.path.join(HERE, "..", "tools", "fuzz")]
sys.dont_write_bytecode = True
import harness  # noqa: E402
import systems  # noqa: E402


# Parts of the judge that take most of its time; run clmali-run --against by hand for all of them.
LEFT_OUT = ("own-sizes,interval,symbolic,structured-data,boundary-data,extreme-data,reverse-order,scalars,"
            "oclgrind-uninitialised,oclgrind-values")


def judged(run, case):
    options = ["--quiet", "--without=" + LEFT_OUT]
    done = subprocess.run([run, *options, "--against=" + case.hand, "--manifest=" + case.manifest, case.launch],
                          capture_output=True, text=True)
    return None if done.returncode == 0 else (done.stdout + done.stderr).strip()[:300]


def compared(case):
    got = harness.run_independently(case.launch, case.source, case.hand, case.manifest)
    return None if got["verdict"] == "equal" else str(got.get("runs") or got.get("why"))[:300]


def check(run, case):
    """What is wrong with a kernel, or None."""
    with open(case.launch) as f:
        exact = "compare:" not in f.read()
    return compared(case) if exact and "--all" not in sys.argv else judged(run, case)


def main():
    run = harness.program(sys.argv[1], "clmali-run")
    found = [(system, case) for system in systems.systems() for case in systems.cases(system)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda pair: check(run, pair[1]), found))
    wrong = 0
    for (system, case), why in zip(found, results):
        if why:
            print("%s/%s: %s" % (system, case.name, why))
            wrong += 1
    print("%d kernels, %d wrong" % (len(found), wrong))
    current = subprocess.run([sys.executable, os.path.join(HERE, "..", "tools", "systems.py"), "check"])
    return 1 if wrong or current.returncode or not found else 0


if __name__ == "__main__":
    sys.exit(main())
