#!/usr/bin/env python3
"""Checks the host programs of this folder.

usage: check-hosts.py BUILD [--table]

  - clmali-lint reports each marked line (MISTAKE or FINDING, with the rules), and no other, by the rules on host code;
  - each program runs, and prints the same after the fixes of use-host-ptr and read-write-buffer;
  - bytes that the runtime copies between host and buffers, counted by count_layer.c, are those of COPIED, before and after.

Exit: 0 all is so, 1 not, 2 something is missing (a compiler, a device).
"""
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
from marks import compare_marks, host_rules, lint  # noqa: E402

# Program: bytes copied as it is written, and after the fixes.
COPIED = {
    "camera.c": (3 * 4 * 1009 * 64, 0),
    "camera_mapped.c": (0, 0),
    "scale.c": (5 * 4 * 4000, 4 * 4000),
    "sums.cpp": (4 * (2003 * 32 + 2 * 2003), 0),
}
WRONG = []


def expect(condition, message):
    if not condition:
        WRONG.append(message)


def compiled(source, program):
    cpp = source.suffix == ".cpp"
    command = ["clang++-19" if cpp else "clang-19", "-std=c++17" if cpp else "-std=c99", "-Wall", "-Wextra", "-Werror",
               "-Wno-deprecated-declarations", "-DCL_TARGET_OPENCL_VERSION=120", str(source), "-o", str(program), "-lOpenCL"]
    done = subprocess.run(command, capture_output=True, text=True)
    expect(done.returncode == 0, "%s does not compile: %s" % (source.name, done.stderr[-400:]))
    return done.returncode == 0


def ran(program, layer, folder):
    """(output, bytes copied)"""
    count = folder / "count.txt"
    environment = dict(os.environ, OPENCL_LAYERS=str(layer), COUNT_FILE=str(count))
    done = subprocess.run([str(program), str(folder / "stored.bin")], capture_output=True, text=True, env=environment,
                          cwd=folder, timeout=120)
    expect(done.returncode == 0, "%s ends with %d: %s" % (program.name, done.returncode, done.stderr[-200:]))
    text = count.read_text() if count.exists() else ""
    if count.exists():
        count.unlink()
    return done.stdout, int(text.split()[1]) if text else None


def check(build, name, folder, layer):
    source = HERE / name
    WRONG.extend(compare_marks(build, source, host_rules()))
    fixed = folder / name
    fixed.write_text(source.read_text())
    lint(build, fixed, "--checks=-*,use-host-ptr,read-write-buffer", "--unsafe-fixes", "--fix")
    results = []
    for text, program in ((source, folder / "before"), (fixed, folder / "after")):
        if compiled(text, program):
            results.append(ran(program, layer, folder))
    if len(results) != 2:
        return
    (before, copied), (after, left) = results
    expect(before and before == after, "%s prints something else after the fixes:\n%s%s" % (name, before, after))
    expect((copied, left) == COPIED[name], "%s: bytes copied before and after: %s, %s" % (name, copied, left))


def table():
    print("| program | bytes copied | after `--unsafe-fixes` |\n|---|---|---|")
    for name, (before, after) in sorted(COPIED.items()):
        print("| `%s` | %s | %s |" % (name, "{:,}".format(before), "{:,}".format(after)))
    return 0


def main():
    if "--table" in sys.argv:
        return table()
    build = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        layer = folder / "count.so"
        done = subprocess.run(["clang-19", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-DCL_TARGET_OPENCL_VERSION=120",
                               str(HERE / "count_layer.c"), "-o", str(layer)], capture_output=True, text=True)
        if done.returncode:
            print(done.stderr, file=sys.stderr)
            return 2
        for name in sorted(COPIED):
            check(build, name, folder, layer)
    print("\n".join(WRONG))
    return 1 if WRONG else 0


if __name__ == "__main__":
    sys.exit(main())
