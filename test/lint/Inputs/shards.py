"""Lints a tree in parts with --shard and joins the reports with --merge: shards.py FOLDER."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
(folder / "kernels").mkdir(parents=True)
os.chdir(folder)
subprocess.run(["git", "init", "-q", "."], check=True)
COUNT = 3

FOUND = "__kernel void k%d(__global float *x) { x[get_global_id(0)] *= 2.0f; }\n"
SILENCED = "__kernel void s(__global float *x) { x[get_global_id(0)] *= 2.0f; } // NOLINT(clmali-scalar-global-access)\n"
# The launch is in another file than the kernel: a shard that has the kernel needs the host, too.
HOST = """#include <CL/cl.h>
const char *load(const char *);
int run(cl_context c, cl_command_queue q) {
  const char *text = load("kernels/needed.cl");
  cl_program p = clCreateProgramWithSource(c, 1, &text, NULL, NULL);
  clBuildProgram(p, 0, NULL, "", NULL, NULL);
  cl_kernel k = clCreateKernel(p, "k%d", NULL);
  size_t global = 1009, local = 7;
  return clEnqueueNDRangeKernel(q, k, 1, NULL, &global, &local, 0, NULL, NULL);
}
"""


def add(name, text):
    pathlib.Path(name).write_text(text)


for i in range(9):
    add("kernels/k%d.cl" % i, FOUND % i)
add("kernels/needed.cl", "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\n" + FOUND.replace("__kernel ", "") % 20)
add("kernels/silenced.cl", SILENCED)
add("kernels/shared.clh", FOUND % 30)
for name in ("one", "two"):  # the finding in the header is reported once
    add("kernels/%s.cl" % name, '#include "shared.clh"\n')
for i in (20, 21):
    add("host%d.c" % i, HOST % i)
add("kernels/broken.cl", "__kernel void broken(__global floot *x) { x[0] = ; }\n")
add("kernels/long.cl", "// no kernel\nfloat half_of(float x) { return x * 0.5f; }\n")
add("compile_commands.json", json.dumps([
    {"directory": str(folder), "file": "host%d.c" % i, "arguments": ["cc", "-DCL_TARGET_OPENCL_VERSION=120", "host%d.c" % i]}
    for i in (20, 21)]))


def lint(*arguments, code):
    done = subprocess.run(["clmali-lint", "--no-config", *arguments], capture_output=True, text=True)
    assert done.returncode == code, (arguments, done.returncode, done.stdout[-2000:], done.stderr)
    return done.stdout + done.stderr


INPUT = ["--device=mali", "-p", ".", "."]
ALL = ["--checks=*,-unused-suppression", "--statistics", *INPUT]


def shards(form, name="part", count=COUNT, codes=(0, 1, 2)):
    files = []
    for i in range(1, count + 1):
        files.append("%s%d.%s" % (name, i, form))
        done = subprocess.run(["clmali-lint", "--no-config", "--shard=%d/%d" % (i, count), "--format=" + form,
                               "--output=" + files[-1], *ALL], capture_output=True, text=True)
        assert done.returncode in codes, done
    return files


def owners(files):
    """File -> number of its shard."""
    of = {}
    for number, path in enumerate(files):
        for finding in json.load(open(path))["findings"]:
            of.setdefault(finding["file"], set()).add(number)
    return of


for form in ("json", "sarif"):
    whole = lint("--format=" + form, *ALL, code=2)
    parts = shards(form)
    joined = lint(*["--merge=" + p for p in parts], code=2)
    # The number of suppressions and the like are those of single files here, so sums are exact.
    assert joined == whole, "\n".join(line for line in (
        subprocess.run(["diff", "-", "whole"], input=(add("whole", whole), joined)[1], capture_output=True, text=True).stdout
        .split("\n"))[:40])
    # In any order, as paths, and into a file.
    assert lint("--merge=" + parts[2], parts[0], parts[1], "--output=all." + form, code=2) == ""
    assert pathlib.Path("all." + form).read_text() == whole

parts = shards("json")
before = owners(parts)
assert len({n for of in before.values() for n in of}) == COUNT, before  # each shard has something to do
assert any(f["rule"] == "kernel-launch-mismatch" for p in parts for f in json.load(open(p))["findings"])

# Files that are added change nothing for the others.
for i in range(40, 60):
    add("kernels/k%d.cl" % i, FOUND % i)
after = owners(shards("json", "new"))
assert all(after[name] == before[name] for name in before), (before, after)
new = [min(after["./kernels/k%d.cl" % i]) for i in range(40, 60)]
assert set(new) == set(range(COUNT)), new

# Exit codes of a merge: 1 for findings, 0 below --fail-on.
os.remove("kernels/broken.cl")
os.remove("kernels/long.cl")
parts = shards("json")
lint(*["--merge=" + p for p in parts], code=1)
sarif = shards("sarif")
lint(*["--merge=" + p for p in sarif], code=1)
for name in ("kernels/needed.cl", "host20.c", "host21.c"):
    os.remove(name)
add("compile_commands.json", "[]")
parts, sarif = shards("json", codes=(0, 1)), shards("sarif", codes=(0, 1))
for files in (parts, sarif):
    lint("--fail-on=error", *["--merge=" + p for p in files], code=0)
    lint(*["--merge=" + p for p in files], code=1)

# A part that is missing, given twice, of another run, or no part, is never a clean result.
assert "shard 2/3 is missing" in lint("--merge=" + parts[0], "--merge=" + parts[2], code=2)
assert "are both shard 1/3" in lint("--merge=" + parts[0], parts[0], parts[1], parts[2], code=2)
assert "is shard 1/2" in lint("--merge=" + parts[0], shards("json", "other", 2)[0], code=2)
assert "different formats" in lint("--merge=" + parts[0], sarif[1], code=2)
lint("--format=json", "--output=whole.json", "--fail-on=error", *INPUT, code=0)
assert "no report of a shard" in lint("--merge=whole.json", code=2)
assert "no report of clmali-lint" in lint("--merge=compile_commands.json", code=2)
for wrong in ("4/3", "0/3", "1", "1/0", "a/b"):
    assert "--shard" in lint("--shard=" + wrong, ".", code=2)
assert "--write-baseline" in lint("--shard=1/2", "--write-baseline=b", ".", code=2)

# A baseline: what one shard does not find is not gone.
lint("--write-baseline=baseline.json", *INPUT, code=0)
for i in range(1, COUNT + 1):
    log = json.loads(lint("--shard=%d/%d" % (i, COUNT), "--baseline=baseline.json", "--format=sarif", *INPUT, code=0))
    states = {r["baselineState"] for r in log["runs"][0]["results"] if "suppressions" not in r}
    assert states <= {"unchanged"}, (i, states)
print("shards: as one run")
