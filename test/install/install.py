#!/usr/bin/env python3
"""Installs into a prefix and uses the installed files with a bare environment: programs, manual pages, completions, and
the CMake package in a separate project with a lint target and a rewrite as a build step."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys

KERNEL = """__kernel void scale(__global const float *in, __global float *out, float f) {
  int i = get_global_id(0);
  out[i] = in[i] * f;
}
"""
LAUNCH = """kernel: scale
args:
  - { name: in, buffer: in, count: "n" }
  - { name: out, buffer: out, count: "n" }
  - { name: f, value: "2.5" }
global: [ "n" ]
sizes: [ { n: 64 } ]
"""
HOST = """#include <CL/cl.h>
#include <stddef.h>
#include <stdint.h>
#ifndef FROM_THE_BUILD
#error the compile command was not read
#endif
int run(cl_command_queue q, cl_kernel k) {
  size_t global = 1009;
  return clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL);
}
"""
LISTS = """cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(clmali 0.2 REQUIRED)
add_library(program STATIC host.c kernels/scale.cl)
target_compile_definitions(program PRIVATE FROM_THE_BUILD CL_TARGET_OPENCL_VERSION=120)
clmali_lint(program DEVICE mali-bifrost FAIL_ON error CHECKS "prime-work-size,scalar-global-access")
clmali_rewrite(kernels/scale.cl OUTPUT made/scale_mali.cl DEVICE mali-bifrost TARGET rewritten)
"""


# A program that knows nothing of clmali; it prints what its kernel computed.
APPLICATION = """import numpy as np, pyopencl as cl, pyopencl.array as ca
context = cl.Context(cl.get_platforms()[0].get_devices()[:1]); queue = cl.CommandQueue(context)
program = cl.Program(context, '''__kernel void scale(__global const float *in, __global float *out, float f, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] * f;
}''').build()
scale = program.scale
for n in (64, 1000, 4099):
    data = ca.to_device(queue, np.arange(n, dtype=np.float32)); out = ca.zeros(queue, n, np.float32)
    scale(queue, ((n + 63) // 64 * 64,), (64,), data.data, out.data, np.float32(2.5), np.int32(n))
    print(n, float(out.get().sum()))
"""


def python_with(*modules):
    """Debian's packages are for Debian's python3, which need not be the first on the path."""
    for program in (sys.executable, "/usr/bin/python3"):
        if not subprocess.run([program, "-c", "import " + ", ".join(modules)], stderr=subprocess.DEVNULL).returncode:
            return program
    sys.exit("no python3 has %s; tools/setup installs them" % " and ".join(modules))


def run(*command, code=0, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if code is not None and done.returncode != code:
        sys.exit("%s\nexit code %d, not %s\n%s%s" % (command, done.returncode, code, done.stdout, done.stderr))
    return done.stdout + done.stderr


def recording(prefix, work):
    """A program is recorded, linted, replayed, rewritten and injected with the installed programs, moved elsewhere."""
    moved = work / "moved"
    shutil.copytree(prefix, moved, symlinks=True)
    folder, report = work / "recording", work / "report.json"
    application = [python_with("numpy", "pyopencl"), "-c", APPLICATION]
    bare = {"PATH": "%s/bin:/usr/bin:/bin" % moved, "HOME": str(work), "PYOPENCL_NO_CACHE": "1", "PYTHONWARNINGS": "ignore",
            "XDG_CACHE_HOME": str(work / "cache")}
    expected = run(*application, env=bare)
    for way in ([], ["--drop-in"]):
        shutil.rmtree(folder, ignore_errors=True)
        got = run("clmali-record", *way, "--output=%s" % folder, "--", *application, env=bare)
        assert expected in got, got
        assert "scale" in (folder / "index.json").read_text(), way
        assert run("clmali-run", "--recording=%s" % folder, env=bare).count("scale"), way
    run("clmali-lint", "--recording=%s" % folder, "--device=mali", env=bare, code=None)
    table = run("clmali-rewrite", "--recording=%s" % folder, "--device=mali-midgard", env=bare)
    assert "held" in table, table
    for way in ([], ["--drop-in"]):
        report.unlink(missing_ok=True)
        got = run("clmali-inject", *way, "--report=%s" % report, folder, "--", *application, env=bare)
        assert expected in got, got
        kernel, = [k for k in json.loads(report.read_text())["kernels"] if k["kernel"] == "scale"]
        assert kernel["injected"] == 3, kernel


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "build", "work"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--cmake", required=True)
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    prefix = work / "a prefix"
    run(arguments.cmake, "--install", arguments.build, "--prefix", prefix)

    # Only PATH is set: no HOME, no locale, no cache folder.
    bare = {"PATH": "%s/bin:/usr/bin:/bin" % prefix}
    programs = sorted(p.name for p in (prefix / "bin").iterdir())
    assert {"clmali-lint", "clmali-rewrite", "clmali-run", "clmali-record", "clmali-inject"} <= set(programs), programs
    for program in programs:
        with open(prefix / "bin" / program, "rb") as file:
            is_script = file.read(2) == b"#!"
        libraries = "" if is_script else run("ldd", prefix / "bin" / program, env=bare)
        assert "not found" not in libraries and str(arguments.build) not in libraries, libraries
        assert program in run(prefix / "bin" / program, "--help", env=bare), program
    assert "mali-t604" in run("clmali-lint", "--version", env=bare)
    user = work / "user"
    (user / "kernels").mkdir(parents=True)
    (user / "kernels/scale.cl").write_text(KERNEL)
    (user / "kernels/scale.launch.yaml").write_text(LAUNCH)
    (user / "host.c").write_text(HOST)
    (user / "CMakeLists.txt").write_text(LISTS)
    found = run("clmali-lint", "--device=mali", "kernels/scale.cl", env=bare, cwd=user, code=1)
    assert "kernels/scale.cl:3:" in found, found
    found = run("clmali-lint", "--device=mali", "--checks=prime-work-size", "host.c", "--", "-DFROM_THE_BUILD",
                env=bare, cwd=user, code=1)
    assert "host.c:8" in found and "prime" in found, found
    # The installed headers of Clang, for machines without clang.
    resources = next((prefix / "lib").rglob("clmali/clang"), None) or next(prefix.rglob("clmali/clang"))
    for header in ("stddef.h", "stdint.h", "float.h", "emmintrin.h"):
        assert (resources / "include" / header).exists(), header
    run("clmali-lint", "--device=mali", "--checks=prime-work-size", "host.c", "--", "-DFROM_THE_BUILD",
        "-resource-dir=%s" % resources, env=bare, cwd=user, code=1)

    recording(prefix, work)

    # Manual pages and completions.
    for program in ("clmali-lint", "clmali-rewrite", "clmali-run", "clmali-record", "clmali-inject"):
        page = prefix / "share/man/man1" / (program + ".1")
        text = page.read_text()
        said = run(program, "--help", env=bare)
        for option in [l.split()[0].split("=")[0] for l in said.split("\n") if l.startswith("  -")]:
            assert option.replace("-", "\\-") in text, (program, option)
        if shutil.which("man"):
            said = subprocess.run(["man", "--warnings", "-l", "-Tutf8", "-Z", str(page)], capture_output=True, text=True)
            assert said.returncode == 0 and not said.stderr, said.stderr
        completion = prefix / "share/bash-completion/completions" / program
        run("bash", "-n", completion)
        for shell, where in (("zsh", "share/zsh/site-functions/_" + program),
                             ("fish", "share/fish/vendor_completions.d/%s.fish" % program)):
            assert (prefix / where).exists(), where
            if shutil.which(shell):
                run(shell, "-n", prefix / where)
    offered = run("bash", "-c", "source '%s/share/bash-completion/completions/clmali-lint'; COMP_WORDS=(clmali-lint "
                  "--format = js); COMP_CWORD=3; _clmali_lint; echo \"${COMPREPLY[@]}\"; COMP_WORDS=(clmali-lint "
                  "--devi); COMP_CWORD=1; _clmali_lint 2>/dev/null; echo \"${COMPREPLY[@]}\"; COMP_WORDS=(clmali-lint "
                  "--explain = integer-d); COMP_CWORD=3; _clmali_lint; echo \"${COMPREPLY[@]}\"" % prefix).split()
    assert offered == ["json", "--device=", "integer-division"], offered
    assert "include\\-dirs" in (prefix / "share/man/man5/clmali.yaml.5").read_text()

    # The CMake package in a separate project.
    tree = work / "user-build"
    environment = {**os.environ, "XDG_CACHE_HOME": str(work / "cache")}
    environment.pop("CC", None)
    run(arguments.cmake, "-S", user, "-B", tree, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=%s" % prefix, env=environment)
    linted = run(arguments.cmake, "--build", tree, "--target", "lint-program", env=environment)
    assert "host.c:8" in linted and "scale.cl:3" in linted, linted
    made = tree / "made/scale_mali.cl"
    run(arguments.cmake, "--build", tree, "--target", "rewritten", env=environment)
    assert "scale_v" in made.read_text() and "vload" in made.read_text(), made.read_text()
    assert (tree / "made/scale_mali.manifest.json").exists()
    assert (tree / "made/scale_mali.verdict.json").exists()
    # The rewrite runs once, and again only after a change.
    before = made.stat().st_mtime_ns
    assert "no work to do" in run(arguments.cmake, "--build", tree, "--target", "rewritten", env=environment)
    (user / "kernels/scale.launch.yaml").write_text(LAUNCH.replace("64", "32"))
    run(arguments.cmake, "--build", tree, "--target", "rewritten", env=environment)
    assert made.stat().st_mtime_ns > before, "a changed launch file must lead to a new rewrite"
    run(arguments.cmake, "--build", tree, "--target", "clean", env=environment)
    assert not list((tree / "made").iterdir()), "clean leaves files behind"
    # A failing lint fails the build; a wrong argument of the function is reported.
    lists = user / "CMakeLists.txt"
    lists.write_text(LISTS.replace("FAIL_ON error", "FAIL_ON warning"))
    run(arguments.cmake, tree, env=environment)
    run(arguments.cmake, "--build", tree, "--target", "lint-program", env=environment, code=1)
    lists.write_text(LISTS.replace("FAIL_ON error", "FAIL error"))
    assert "FAIL_ON" in run(arguments.cmake, tree, env=environment, code=1)
    print("the installed files work from a prefix")
    return 0


if __name__ == "__main__":
    sys.exit(main())
