"""Lints every file of a folder on all families: no error, no crash, no kernel omitted."""
import json
import pathlib
import re
import subprocess
import sys

files = sorted(pathlib.Path(sys.argv[1]).glob("*.cl"))
print("%d files" % len(files))
failed = False
for path in files:
    done = subprocess.run(["clmali-lint", "--format=json", str(path)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        print("FAIL: %s: exit status %d\n%s" % (path.name, done.returncode, done.stdout + done.stderr))
        failed = True
        continue
    report = json.loads(done.stdout)
    left = [n["message"] for n in report["notes"]]
    if report["errors"] or left:
        print("FAIL: %s: %s %s" % (path.name, report["errors"], left))
        failed = True
sys.exit(failed)
