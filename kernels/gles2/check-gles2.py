#!/usr/bin/env python3
"""Checks the OpenGL ES 2 programs of this folder.

usage: check-gles2.py BUILD [--times]

  - clmali-lint reports each marked line (MISTAKE, with the rules), and no other, by the rules on host code;
  - each program compiles and runs without a window on Mesa's software renderer, and its results equal the CPU's;
  - sum and sgemm fail when their results are wrong (a shader that was changed).

--times runs each program and its slow form in turns, and prints the ratio.

Exit: 0 all is so, 1 not, 2 something is missing (a compiler, the headers, EGL).
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "hosts"))
from marks import host_rules, compare_marks  # noqa: E402

PROGRAMS = ["sum.c", "sum_slow.c", "sgemm.cpp", "sgemm_slow.cpp"]
# Sizes for the times: passes of 256x256; order and block.
TIMED = {"sum": ["64"], "sgemm": ["128", "4"]}
WRONG = []


def compiled(source, program):
    cpp = source.suffix == ".cpp"
    command = ["clang++-19" if cpp else "clang-19", "-std=c++17" if cpp else "-std=gnu99", "-O1", "-Wall", "-Wextra",
               "-Werror", "-I" + str(HERE), str(source), "-o", str(program), "-lEGL", "-lGLESv2", "-lm"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print("%s does not compile (tools/setup installs the headers):\n%s" % (source.name, done.stderr[-400:]), file=sys.stderr)
        sys.exit(2)


def ran(program, *arguments):
    """(exit status, output, seconds)"""
    # The software renderer, also where there is a GPU; no window system.
    environment = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="llvmpipe")
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, env=environment, timeout=60)
    if done.returncode == 2:
        print("%s: %s" % (program.name, done.stderr), file=sys.stderr)
        sys.exit(2)
    return done.returncode, done.stdout, float(done.stderr.split()[0])


def check(name, folder):
    source, program = HERE / name, folder / name.replace(".", "_")
    compiled(source, program)
    status, output, _ = ran(program)
    if status:
        WRONG.append("%s ends with %d: %s" % (name, status, output))
    if "_slow" in name:
        return
    changed = folder / ("wrong_" + name)
    text = source.read_text()
    changed.write_text(text.replace("unpack(texture2D(", "1.001 * unpack(texture2D(", 1))
    compiled(changed, program)
    status, output, _ = ran(program)
    if status != 1 or changed.read_text() == text:
        WRONG.append("%s with a wrong shader ends with %d: %s" % (name, status, output))


def times(folder):
    for name, arguments in TIMED.items():
        forms = {}
        for form in (name, name + "_slow"):
            source = next(HERE / p for p in PROGRAMS if p.split(".")[0] == form)
            compiled(source, folder / form)
            forms[form] = []
        for _ in range(7):
            for form, list_ in forms.items():
                list_.append(ran(folder / form, *arguments)[2])
        fast, slow = (statistics.median(forms[f]) for f in (name, name + "_slow"))
        ratios = sorted(s / f for f, s in zip(forms[name], forms[name + "_slow"]))
        print("%s %s: %.2f (%.2f to %.2f)" % (name, " ".join(arguments), slow / fast, ratios[0], ratios[-1]))


def main():
    build = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        if "--times" in sys.argv:
            times(pathlib.Path(folder))
            return 0
        for name in PROGRAMS:
            WRONG.extend(compare_marks(build, HERE / name, host_rules()))
            check(name, pathlib.Path(folder))
    print("\n".join(WRONG))
    return 1 if WRONG else 0


if __name__ == "__main__":
    sys.exit(main())
