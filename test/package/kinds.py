#!/usr/bin/env python3
"""Makes an npm package and a wheel from a small tree with this build's clmali-lint, and installs them from the files.
Also: what keeps a program from running elsewhere is noticed."""
import argparse
import pathlib
import platform
import shutil
import sys

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools/package")]
import installed  # noqa: E402
import portable  # noqa: E402

VERSION = "9.8.7"


def small_tree(build, source, work):
    """As an archive unpacks, with clmali-lint alone as the one program."""
    tree = work / ("clmali-%s-linux-%s" % (VERSION, platform.machine()))
    (tree / "bin").mkdir(parents=True)
    for name in ("clmali", "clmali-clangd"):
        shutil.copy(build / "bin/clmali-lint", tree / "bin" / name)
    (tree / "bin/clmali-lint").symlink_to("clmali")
    documents = tree / "share/doc/clmali"
    (documents / "licences").mkdir(parents=True)
    (documents / "rules").mkdir()
    for name, to in (("README.md", "README.md"), ("CHANGELOG.md", "CHANGELOG.md"), ("LICENSE", "copyright"),
                     ("LICENSE", "licences/llvm-19"), ("rules/integer-division.md", "rules/integer-division.md")):
        shutil.copy(source / name, documents / to)
    (tree / "share/man/man1").mkdir(parents=True)
    (tree / "share/man/man1/clmali-lint.1").write_text("")
    (tree / "lib/clmali").mkdir(parents=True)
    shutil.copy(build / "lib/libclmali-layer.so", tree / "lib/clmali")
    return tree


def pack(tree, output):
    archive = output / (tree.name + ".tar.xz")
    installed.run("tar", "-C", tree.parent, "-I", "xz -0", "-cf", archive, tree.name)
    checksum = installed.run("sha256sum", archive.name, cwd=output)
    (output / (archive.name + ".sha256")).write_text(checksum)
    return archive


def notices(work):
    """A shared C++ runtime, a new symbol of the C library and a path of this machine are each reported."""
    folder = installed.fresh(work)
    (folder / "a.cpp").write_text('#include <iostream>\nint main(int, char **a) { std::cout << a[0] << "%s/x"; }\n' % folder)
    compiler = shutil.which("clang++-19") or "c++"
    installed.run(compiler, folder / "a.cpp", "-o", folder / "a")
    said = "\n".join(portable.problems(folder, [folder]))
    assert "a needs libstdc++.so.6" in said and "contains the path" in said, said
    (folder / "libstdc++.so.6").write_text("")
    assert "libstdc++ is bundled" in "\n".join(portable.problems(folder))
    old, portable.GLIBC = portable.GLIBC, (2, 2)
    said = "\n".join(portable.problems(folder))
    portable.GLIBC = old
    assert "of glibc 2." in said, said
    (folder / "b.c").write_text("int main(void) { return 0; }\n")
    installed.run("cc" if shutil.which("cc") else "clang-19", folder / "b.c", "-o", folder / "b")
    for name in ("a", "libstdc++.so.6"):
        (folder / name).unlink()
    assert not list(portable.problems(folder)), list(portable.problems(folder))


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "build", "work"):
        parser.add_argument("--" + name, type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    work = installed.fresh(arguments.work.resolve())
    output = installed.fresh(work / "packages")
    tree = small_tree(arguments.build.resolve(), arguments.source.resolve(), work)
    archive = pack(tree, output)
    installed.archive(archive, work / "unpacked")
    script = arguments.source / "tools/package/package"
    sums = []
    for _ in range(2):  # twice: the same input gives the same files
        said = installed.run(sys.executable, script, "--archive=%s" % archive, "--output=%s" % output, "npm", "wheel")
        sums.append({p.name: p.read_text() for p in output.glob("*.sha256")})
    assert sums[0] == sums[1], said
    files = sorted(output.glob("clmali-*.tgz"))
    assert len(files) == 2, files
    installed.npm(files, work / "npm", by_npm=False)
    path, = output.glob("*.whl")
    installed.wheel(path, work / "wheel")
    notices(work / "notices")
    print("packages of %s install and run" % VERSION)
    return 0


if __name__ == "__main__":
    sys.exit(main())
