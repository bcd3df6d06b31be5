"""order.py INPUTS LINT: lints copies of kernels and host files in shuffled orders, with one thread and
with several, with and without a cache; every report must be the same."""
import os
import random
import shutil
import subprocess
import sys

inputs, lint = sys.argv[1:]
os.environ["XDG_CACHE_HOME"] = os.path.abspath("cache")
names = []
for i in range(12):
    source = ["talk.cl", "staged.cl", "host.c"][i % 3]
    name = "%d%s" % (i, source)
    text = open(os.path.join(inputs, source)).read()
    if i % 3 == 1:
        text = '#include "shared.h"\n' + text
    if i % 3 == 0:
        text += "// NOLINT(clmali-integer-division)\n"
    open(name, "w").write(text)
    names.append(name)
open("shared.h", "w").write("inline int third(int x, int n) { return x / n; }\n"
                            "__kernel void in_header(__global int *x, int n) { x[get_global_id(0)] = third(3, n); }\n")


def run(*options):
    done = subprocess.run([lint, "--fail-on=error", *options], capture_output=True, text=True)
    assert done.returncode in (0, 1) and not done.stderr, (options, done.returncode, done.stderr)
    return done.stdout


for form in ("json", "sarif", "text"):
    want = run("--format=" + form, "--no-cache", *names)
    assert "in_header" in want and "unused-suppression" in want
    for jobs in ("-j1", "-j2", "-j8"):
        for cache in ((), ("--no-cache",)):
            random.Random(jobs).shuffle(names)
            got = run("--format=" + form, jobs, *cache, *names)
            assert got == want, (form, jobs, cache)
    assert run("--format=" + form, "-j2", *names, *names[:3]) == want, "files given twice"
shutil.rmtree("cache")
print("21 equal reports")
