"""cache.py INPUTS LINT: a result is taken from the cache only if none of its dependencies has changed. Broken entries
and simultaneous runs do no harm."""
import glob
import os
import shutil
import subprocess
import sys

inputs, lint = sys.argv[1:]
os.environ["XDG_CACHE_HOME"] = os.path.abspath("cache")
os.makedirs("near")
os.makedirs("far")


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def run(*options, files=("a.cl",)):
    done = subprocess.run([lint, "--device=powervr", "--statistics", "--checks=-*,integer-division,prime-work-size,"
                           "missing-reqd-work-group-size,scalar-byte-load", *options, *files, "--", "-Inear", "-Ifar"],
                          capture_output=True, text=True)
    assert done.returncode in (0, 1, 2), done
    return done.stdout


def cached(output):
    line = [l for l in output.split("\n") if " findings in " in l][0]
    return int(line.split(" files from the cache")[0].split(", ")[-1]) if "from the cache" in line else 0


def fresh(what, **more):
    """Runs the linter: the result is not from the cache, equals that without a cache, and is cached afterwards."""
    got = run(**more)
    assert cached(got) == 0, what + ": taken from the cache"
    assert got == run("--no-cache", **more), what
    again = run(**more)
    assert cached(again) == len(more.get("files", ["a.cl"])), what + ": not kept: " + again
    assert again.replace(", %d files from the cache" % cached(again), "") == got, what
    return got


write("a.cl", '#include "h.h"\n__kernel void f(__global int *x, int n) { x[get_global_id(0)] = DIVIDE; }\n')
write("far/h.h", "#define DIVIDE n\n")
first = fresh("first run")
write("far/h.h", "#define DIVIDE n / x[get_global_id(0)]\n")
assert "integer-division" in fresh("a header changed")
write("near/h.h", "#define DIVIDE n\n")
assert "integer-division" not in fresh("a new header comes first in the search order")
os.remove("near/h.h")
assert "integer-division" in run(), "a header was removed"
write("a.cl", open("a.cl").read() + "// longer\n")
fresh("the file changed")
assert cached(run("--checks=-*,integer-division")) == 0, "other rules"
assert cached(run("--option=register-pressure.Percent=200")) == 0, "an option"
write(".clmali.yaml", "defines: { N: 1 }\n")
assert cached(run()) == 0, "a configuration"
os.remove(".clmali.yaml")
assert cached(run("--device=mali")) == 0, "another device"

# A host file that launches the kernel.
write("near/other.h", "#define LOCAL 64\n")
shutil.copy(os.path.join(inputs, "host.c"), "host.c")
both = ("a.cl", "host.c")
fresh("kernel and host", files=both)
write("host.c", open("host.c").read().replace("64", "32"))
fresh("the host changed", files=both)
assert cached(run()) == 1, "without the host the old result is valid"

# A loop in one host file calls a function of another: the findings of the callee's file depend on both.
write("gpu.c", "#include <CL/cl.h>\nvoid all(cl_command_queue q) { clFinish(q); }\n")
loop = "#include <CL/cl.h>\nvoid all(cl_command_queue q);\nvoid go(cl_command_queue q) { %s all(q); }\n"
pair, waits = ("gpu.c", "app.c"), "--checks=-*,finish-in-loop"
for text in (loop % "for (;;)", loop % "", "\n" + loop % "for (;;)", "\n" + loop % "for ( ;)", loop % "while(1)"):
    write("app.c", text)
    want = run(waits, "--no-cache", files=pair)
    assert ("which is called in a loop" in want) == (text != loop % ""), want
    assert run(waits, files=pair) == want, "the other host file changed"
    assert cached(run(waits, files=pair)) == 2, "host files are kept"
assert "in a loop" not in run(waits, files=("gpu.c",)), "without the other host file"
write("app.c", open("app.c").read() + "// longer\n")
assert cached(run(waits, files=pair)) == 1, "the effects of the other file are the same"

# Entries that are broken, truncated or of another form are ignored.
for spoil in (b"", b"{", b"\xff\x00garbage", b"[]", b"{}", b'{"on": {}}',
              b'{"on":{},"findings":[["integer-division"]],"suppressed":[],"errors":[],"notes":[],"silenced":[],'
              b'"files":1,"kernels":1}', b'{"on":{},"findings":7,"suppressed":[],"errors":[],"notes":[],'
              b'"silenced":[],"files":1,"kernels":1}'):
    want = run("--no-cache", files=both)
    run(files=both)
    entries = glob.glob("cache/clmali/lint/llvmcache-*")
    assert entries
    for entry in entries:
        open(entry, "wb").write(spoil)
    got = run(files=both)
    assert got == want and cached(got) == 0, (spoil, got)
for entry in glob.glob("cache/clmali/lint/llvmcache-*"):
    os.remove(entry)
    os.mkdir(entry)
assert run(files=both) == run("--no-cache", files=both), "folders instead of entries"
shutil.rmtree("cache")

# Simultaneous runs.
several = [subprocess.Popen([lint, "--device=powervr", "-j2", *both, "--", "-Ifar"], stdout=subprocess.PIPE)
           for _ in range(6)]
outputs = {p.communicate()[0] for p in several}
assert len(outputs) == 1, "simultaneous runs differ"
assert not glob.glob("cache/clmali/lint/*.tmp"), "temporary files are left"

# If the folder cannot be created: no cache, no error. Without the variable the cache is in $HOME/.cache.
write("flat", "")
os.environ["XDG_CACHE_HOME"] = os.path.abspath("flat")
assert cached(run()) == 0 and cached(run()) == 0
del os.environ["XDG_CACHE_HOME"]
os.environ["HOME"] = os.path.abspath("home")
run()
assert glob.glob("home/.cache/clmali/lint/llvmcache-*")
print("the cache is used and invalidated correctly")
