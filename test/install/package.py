#!/usr/bin/env python3
"""The packages made by cpack: dependencies and contents of the .deb, and a .tar.gz that works where it is unpacked."""
import argparse
import pathlib
import shutil
import subprocess
import sys

KERNEL = "__kernel void f(__global float *x) { x[get_global_id(0)] = 1.0f; }\n"


def run(*command, **more):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **more)
    if done.returncode not in (0, 1):
        sys.exit("%s\nexit code %d\n%s%s" % (command, done.returncode, done.stdout, done.stderr))
    return done.stdout


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "build", "work"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    parser.add_argument("--cpack", required=True)
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    generators = "DEB;TGZ" if shutil.which("dpkg-shlibdeps") else "TGZ"
    run(arguments.cpack, "--config", arguments.build / "CPackConfig.cmake", "-G", generators, "-B", work)

    archive, = work.glob("clmali-*.tar.gz")
    unpacked = work / "unpacked"
    unpacked.mkdir()
    run("tar", "-xzf", archive, "-C", unpacked)
    lint, = unpacked.rglob("bin/clmali-lint")
    (work / "k.cl").write_text(KERNEL)
    assert "k.cl:1:38: warning" in run(lint, "--device=mali", "--no-cache", "k.cl", cwd=work, env={})
    layers = list(unpacked.rglob("libclmali-layer.so")) + list(unpacked.rglob("libOpenCL.so.1"))
    assert len(layers) == 2, layers
    for layer in layers:
        # Other programs load them: nothing may come with them but the C library.
        needed = [line.split("[")[1].rstrip("]") for line in run("readelf", "-d", layer).split("\n") if "(NEEDED)" in line]
        assert all(name.startswith(("libc.", "libm.", "ld-linux", "libdl.", "libpthread.")) for name in needed), needed
    for program in [*lint.parent.iterdir(), *layers]:
        data = program.read_bytes()
        assert str(arguments.source.resolve()).encode() not in data, "%s names this machine's folders" % program.name

    if "DEB" in generators:
        package, = work.glob("clmali_*.deb")
        fields = {}
        for line in run("dpkg-deb", "-f", package).split("\n"):
            if line and not line.startswith(" "):
                key, value = line.split(": ", 1)
                fields[key] = value
        for library in ("libc6", "libclang-cpp19", "libllvm19", "libstdc++6"):
            assert library in fields["Depends"], fields["Depends"]
        assert "-dev" not in fields["Depends"], fields["Depends"]
        for judge in ("pocl-opencl-icd", "oclgrind", "clang-19"):
            assert judge in fields["Recommends"], fields["Recommends"]
        names = {line.split()[-1] for line in run("dpkg-deb", "-c", package).split("\n") if line}
        for name in ("usr/bin/clmali-lint", "usr/bin/clmali-rewrite", "usr/share/man/man1/clmali-lint.1",
                     "usr/share/man/man5/clmali.yaml.5", "usr/share/doc/clmali/copyright",
                     "usr/share/bash-completion/completions/clmali-lint", "usr/bin/clmali-record", "usr/bin/clmali-inject",
                     "usr/share/man/man1/clmali-record.1", "usr/share/bash-completion/completions/clmali-inject"):
            assert "./" + name in names, name
        for library in ("clmali/libclmali-layer.so", "clmali/clmali-dropin/libOpenCL.so.1"):
            assert any(name.endswith(library) for name in names), library
    print("packages: %s" % generators)
    return 0


if __name__ == "__main__":
    sys.exit(main())
