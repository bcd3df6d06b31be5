#!/usr/bin/env python3
"""Runs the stress test with a layer that was built with a sanitizer, while it records: nothing may be reported."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser(description=__doc__)
for name in ("layer", "stress", "work"):
    parser.add_argument("--" + name, type=pathlib.Path, required=True)
given = parser.parse_args()
shutil.rmtree(given.work, ignore_errors=True)
given.work.mkdir(parents=True)
# The device keeps memory until the end, and its locks are not instrumented.
environment = {**os.environ, "OPENCL_LAYERS": str(given.layer), "CLMALI_RECORD": str(given.work / "recording"),
               "ASAN_OPTIONS": "detect_leaks=0", "TSAN_OPTIONS": "ignore_noninstrumented_modules=1:exitcode=66"}
faulty = subprocess.run([given.stress, "--faults"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                        text=True, errors="replace", timeout=100, check=False)
if "Sanitizer:" not in faulty.stdout:
    sys.exit("the sanitizer reports no faults:\n" + faulty.stdout)
done = subprocess.run([given.stress], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                      errors="replace", timeout=500, check=False)
launches = list(given.work.glob("recording/raw/*/launches.json"))
reported = [line for line in done.stdout.splitlines() if "Sanitizer:" in line]
print(done.stdout[-6000:])
print("exit code %d, %d reports, %d recordings" % (done.returncode, len(reported), len(launches)))
sys.exit(0 if done.returncode == 0 and not reported and len(launches) == 1 and "stress: " in done.stdout else 1)
