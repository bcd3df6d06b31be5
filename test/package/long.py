#!/usr/bin/env python3
"""The portable archive and the packages made from it, as tools/package/package wrote them.

  test/package/long.py PACKAGES [archive] [npm] [wheel] [vscode] [systems] [arm64] [bazel]      default: those whose files are there

archive  the archive on this machine: needs, lint, bundled headers, a proof, the language server
npm, wheel, vscode   installed from their files (npm, pip; for vscode see tools/editors/vscode/test)
systems  the archive in root file systems of Debian 12 and 13, made from packages (root; mmdebstrap; 40 s each): lint, a
         rewrite with the PoCL of each, record and inject with its OpenCL loader, and without /proc and /sys
arm64    the archive for aarch64 under an emulator (root; mmdebstrap, qemu-user-static): lint, record, run, rewrite, inject
bazel    the aspect and the rule of tools/bazel (bazel-bootstrap, bazel-rules-java)"""
import json
import os
import pathlib
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "tools/package"), str(ROOT / "test/clangd/Inputs")]
import installed  # noqa: E402
import portable  # noqa: E402

LAUNCH = """kernel: scale
args:
  - { name: in, buffer: in, count: "n" }
  - { name: out, buffer: out, count: "n" }
  - { name: f, value: "2.5" }
global: [ "n" ]
sizes: [ { n: 64 }, { n: 4096 } ]
"""
SYSTEMS = {"12": "bookworm", "13": "trixie"}


def one(folder, pattern):
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        sys.exit("long: %s has %d files %s" % (folder, len(found), pattern))
    return found[0]


def sources(folder):
    (folder / "scale.cl").write_text(installed.KERNEL)
    (folder / "scale.launch.yaml").write_text(LAUNCH)


def archive(packages, work):
    tree = installed.archive(one(packages, "clmali-*-linux-x86_64.tar.xz"), work)
    for problem in portable.problems(tree):
        sys.exit("long: " + problem)
    installed.headers(tree, work)
    sources(work)
    environment = {**installed.PLAIN, "PATH": "%s/bin:/usr/bin:/bin" % tree}
    installed.run("clmali-rewrite", "--device=mali-bifrost", "-o", "out.cl", "scale.cl", cwd=work, env=environment)
    verdict = json.loads((work / "out.verdict.json").read_text())["verdicts"][-1]
    assert verdict["verdict"] == "held" and verdict["basis"] == "proved", verdict
    # The archive's own Clang makes for the proofs what clang-19 makes.
    compile = ["--target=spir64", "-x", "cl", "-O0", "-fgnu89-inline", "-ffp-contract=on", "-w", "-emit-llvm", "-c",
               "-cl-std=CL1.2"]
    for kernel in sorted((ROOT / "kernels/laplace").glob("*.cl")) + sorted((ROOT / "kernels/hpc").glob("*.cl")):
        texts = []
        for clang in (tree / "lib/clmali/clang-19", "clang-19"):
            installed.run(clang, *compile, "-o", work / "out.bc", kernel, env=installed.PLAIN)
            text = installed.run("llvm-dis-19", "-o", "-", work / "out.bc")
            texts.append([line.split(";")[0] for line in text.split("\n")])  # comments list users in another order
        assert texts[0] == texts[1], kernel
    # The solver is opened for a proof only: linting works without it, a proof says what is missing.
    (tree / "lib/clmali/libz3.so.4").rename(work / "away")
    installed.lints(tree / "bin/clmali-lint", folder=work, env=installed.PLAIN)
    assert "All checks completed, 0 errors" in installed.run("clmali-clangd", "--check=scale.cl", cwd=work, env=environment)
    for names in (["--version"], ["lint", "--version"]):
        assert "(commit " in installed.run(tree / "bin/clmali", *names, env=installed.PLAIN)
    assert "usage: clmali" in installed.run(tree / "bin/clmali", "nonsense", env=installed.PLAIN, code=2)


def npm(packages, work):
    installed.npm([one(packages, "clmali-linux-x64-*.tgz"), one(packages, "clmali-[0-9]*.tgz")], work)


def wheel(packages, work):
    programs = installed.wheel(one(packages, "clmali-*x86_64.whl"), work)
    sources(work)
    installed.run(programs / "clmali-rewrite", "--device=mali-bifrost", "-o", "out.cl", "scale.cl", cwd=work,
                  env=installed.PLAIN)
    # The language server finds the program that rewrites, though there is no link called clmali-rewrite.
    os.environ["PATH"] = "/usr/bin:/bin"
    import lsp
    client = lsp.Client([], program=str(programs.parent / one(programs.parent, "lib/python*/site-packages/clmali/bin")
                                        / "clmali-clangd"))
    name = client.open(str(work / "scale.cl"), language="opencl")
    assert lsp.ours(client.diagnostics(name), "scalar-global-access")
    assert [a for a in client.actions(name, 0, 16) if a.get("kind") == "refactor.rewrite"]
    client.close()


def vscode(packages, work):
    installed.vsix(one(packages, "clmali-*-linux-x64.vsix"))


def inside(root, *command, code=0, mounted=True):
    """Runs COMMAND in the file system below ROOT, with or without /proc and /sys."""
    mounts = "mount --bind /proc %s/proc; mount --rbind /sys %s/sys; " % (root, root) if mounted else ""
    script = mounts + 'exec chroot "$0" env -i PATH=/opt/clmali/bin:/usr/bin:/bin HOME=/srv sh -c "cd /srv; $*"'
    return installed.run("unshare", "--mount", "sh", "-c", script, root, *command, code=code)


def system(suite, packages, work):
    root = work / suite
    installed.run("mmdebstrap", "--variant=essential", "--include=pocl-opencl-icd,ocl-icd-libopencl1", suite, root)
    home = root / "srv"
    installed.run("tar", "-xJf", one(packages, "clmali-*-linux-x86_64.tar.xz"), "-C", root / "opt")
    one(root / "opt", "clmali-*").rename(root / "opt/clmali")
    sources(home)
    installed.run("clang-19", HERE / "Inputs/scale.c", "-lOpenCL", "-o", home / "scale")
    assert "scale.cl:3:" in inside(root, "clmali-lint --device=mali scale.cl", code=1, mounted=False)
    said = inside(root, "clmali-run --list-devices", code=2, mounted=False)
    assert "not mounted here: /proc, /sys" in said, said
    said = inside(root, "clmali-rewrite --device=mali-bifrost -o out.cl scale.cl")
    assert "scale: held" in said and (home / "out.manifest.json").exists(), said
    # Proved, though neither clang-19 nor libz3 is installed.
    assert json.loads((home / "out.verdict.json").read_text())["verdicts"][-1]["basis"] == "proved", said
    inside(root, "clmali-run --quiet --against=out.cl --manifest=out.manifest.json scale.launch.yaml scale.cl")
    expected = inside(root, "./scale")
    assert expected in inside(root, "clmali-record --output=recording -- ./scale")
    said = inside(root, "clmali-rewrite --recording=recording --device=mali-midgard")
    assert "scale: held" in said, said
    assert expected in inside(root, "clmali-inject --report=report.json recording -- ./scale")
    kernel, = json.loads((home / "report.json").read_text())["kernels"]
    assert kernel["kernel"] == "scale" and kernel["injected"] == 1, kernel
    shutil.rmtree(root)


def systems(packages, work):
    for number, suite in SYSTEMS.items():
        system(suite, packages, work)
        print("long: Debian %s" % number, flush=True)


def arm64(packages, work):
    """The emulator is started by name, also for the program that is recorded: nothing is registered with the kernel. The
    OpenCL device is Oclgrind, which interprets; PoCL would start a linker."""
    emulator = shutil.which("qemu-aarch64-static")
    if not emulator:
        sys.exit("long: arm64 needs qemu-user-static")
    root = work / "root"
    installed.run("mmdebstrap", "--variant=extract", "--architectures=arm64",
                  "--include=libc6-dev,libgcc-12-dev,libstdc++6,oclgrind,ocl-icd-opencl-dev,opencl-headers", "bookworm", root)
    for folder in ("proc", "sys", "srv", "opt", "tmp", "etc/OpenCL/vendors"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    shutil.copy(emulator, root / "emulator")
    (root / "etc/OpenCL/vendors/oclgrind.icd").write_text("/usr/lib/oclgrind/liboclgrind-rt-icd.so\n")
    installed.run("clang-19", "--target=aarch64-linux-gnu", "--sysroot=%s" % root, "--ld-path=%s" % shutil.which("ld.lld-19"),
                  HERE / "Inputs/scale.c", "-lOpenCL", "-o", root / "srv/scale")
    archive = one(packages, "clmali-*-linux-aarch64.tar.xz")
    installed.run("sha256sum", "--check", archive.name + ".sha256", cwd=packages)
    installed.run("tar", "-xJf", archive, "-C", root / "opt")
    one(root / "opt", "clmali-*").rename(root / "opt/clmali")
    for problem in portable.problems(root / "opt/clmali"):
        sys.exit("long: " + problem)
    sources(root / "srv")

    def clmali(name, *arguments, code=0):
        script = 'mount --bind /proc "$0/proc"; mount --rbind /sys "$0/sys"; exec chroot "$0" /emulator "$@"'
        return installed.run("unshare", "--mount", "sh", "-c", script, root, "-0", "clmali-" + name,
                             "/opt/clmali/bin/clmali-clangd" if name == "clangd" else "/opt/clmali/bin/clmali",
                             *arguments, code=code, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"})
    for name in ("lint", "rewrite", "run", "record", "inject", "clangd"):
        assert clmali(name, "--version").startswith("clmali-%s " % name), name
    assert "scale.cl:3:" in clmali("lint", "--device=mali", "/srv/scale.cl", code=1)
    program = ["--", "/emulator", "/srv/scale"]
    said = clmali("record", "--output=/srv/recording", *program)
    expected = next(line for line in said.split("\n") if line.startswith("sum "))
    assert "1 launches replayed with the same result" in clmali("run", "--recording=/srv/recording")
    assert "scale: held" in clmali("rewrite", "--recording=/srv/recording", "--device=mali-midgard")
    assert expected in clmali("inject", "--report=/srv/report.json", "/srv/recording", *program)
    kernel, = json.loads((root / "srv/report.json").read_text())["kernels"]
    assert kernel["kernel"] == "scale" and kernel["injected"] == 1, kernel


BAZEL = {
    "user/WORKSPACE": 'workspace(name = "user")\nlocal_repository(name = "clmali", path = "../clmali")\n',
    "user/BUILD.bazel": """load("@clmali//:clmali.bzl", "clmali_rewrite")
filegroup(name = "kernels", srcs = ["scale.cl"])
cc_library(name = "host", srcs = ["host.c"], hdrs = ["host.h"], local_defines = ["SIZE=1009"])
clmali_rewrite(name = "scale_mali", src = "scale.cl", launch = ["scale.launch.yaml"], device = "mali-bifrost")
""",
    "user/host.h": "".join(installed.HOST.split("int run")[0].replace("#include <bundled_marker.h>\n", "")),
    "user/host.c": '#include "host.h"\nint run' + installed.HOST.split("int run")[1].replace("BUNDLED_SIZE", "SIZE"),
    # Bazel fetches its rules for C++ from elsewhere. All that its own files want of them is native to Bazel 4.
    "rules_cc/WORKSPACE": 'workspace(name = "rules_cc")\n',
    "rules_cc/cc/BUILD": 'package(default_visibility = ["//visibility:public"])\ntoolchain_type(name = "toolchain_type")\n',
    "rules_cc/cc/defs.bzl": "".join("%s = native.%s\n" % (name, name) for name in (
        "cc_binary", "cc_library", "cc_test", "cc_import", "cc_toolchain", "cc_toolchain_suite", "fdo_prefetch_hints",
        "fdo_profile", "objc_library", "objc_import")) + "".join(
            "def %s(name, **kwargs):\n    native.filegroup(name = name)\n" % name for name in (
                "cc_flags_supplier", "compiler_flag", "cc_proto_library")),
}


def bazel(packages, work):
    for name, text in BAZEL.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)
    installed.run("tar", "-xJf", one(packages, "clmali-*-linux-x86_64.tar.xz"), "-C", work)
    one(work, "clmali-*").rename(work / "clmali")
    sources(work / "user")

    def build(*arguments, code=0):
        return installed.run("bazel", "--batch", "--output_user_root=%s" % (work / "out"), "build",
                             "--override_repository=rules_cc=%s" % (work / "rules_cc"),
                             "--override_repository=rules_java=/usr/share/bazel/rules/java", *arguments, cwd=work / "user",
                             code=code, env={**installed.PLAIN, "HOME": str(work)})
    lint = ["--aspects=@clmali//:clmali.bzl%lint", "--output_groups=clmali", "--@clmali//:device=mali"]
    build(*lint, "//:kernels", "//:host")

    def rules(name):
        log = json.loads((work / "user/bazel-bin" / (name + ".clmali.sarif")).read_text())
        return {result["ruleId"] for result in log["runs"][0]["results"]}
    assert "clmali-scalar-global-access" in rules("kernels"), rules("kernels")
    assert "clmali-prime-work-size" in rules("host"), rules("host")  # SIZE is a define of the target
    build(*lint, "--@clmali//:fail_on=warning", "//:kernels", code=1)
    build("//:scale_mali")
    assert "scale_v" in (work / "user/bazel-bin/scale_mali.cl").read_text()
    said = build("//:scale_mali")
    assert "1 process: 1 internal" in said, said  # nothing changed: nothing is done again
    # Bazel makes its outputs read-only.
    installed.run("chmod", "-R", "u+w", work / "out")


PARTS = {"archive": archive, "npm": npm, "wheel": wheel, "vscode": vscode, "systems": systems, "arm64": arm64,
         "bazel": bazel}
FILES = {"archive": "*x86_64.tar.xz", "npm": "*.tgz", "wheel": "*.whl", "vscode": "*.vsix", "systems": "*x86_64.tar.xz",
         "arm64": "*aarch64.tar.xz", "bazel": "*x86_64.tar.xz"}


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    packages = pathlib.Path(sys.argv[1]).resolve()
    chosen = sys.argv[2:] or [part for part in PARTS if list(packages.glob(FILES[part]))]
    if not chosen:
        sys.exit("long: %s has no package" % packages)
    for part in chosen:
        with tempfile.TemporaryDirectory() as folder:
            PARTS[part](packages, pathlib.Path(folder))
        print("long: %s passed" % part, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
