"""What the programs of the portable archive may need of the machine that they run on."""
import pathlib
import re
import shutil
import subprocess

GLIBC = (2, 35)  # the oldest that the archive runs with; Ubuntu 22.04 has it
SYSTEM = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
# libz3 is the distribution's, and brings its C++ runtime from the system. A second one in a program's process would
# break OpenCL devices that bring theirs.
SOLVER = SYSTEM | {"libstdc++.so.6", "libgcc_s.so.1"}

# Packages whose code is linked or copied; their copyright files are needed beside it.
LICENCES = {"llvm-19": ["libllvm19", "llvm-19-dev"], "libstdc++": ["libstdc++-12-dev", "gcc-12-base"],
            "z3": ["libz3-4", "libz3-dev"], "zlib": ["zlib1g-dev"], "zstd": ["libzstd-dev"],
            "ncurses": ["libncurses-dev", "libtinfo6"], "opencl-headers": ["opencl-c-headers", "opencl-headers"]}


def add_licences(tree):
    folder = tree / "share/doc/clmali/licences"
    folder.mkdir(parents=True, exist_ok=True)
    for name, packages in LICENCES.items():
        found = next((p for p in (pathlib.Path("/usr/share/doc") / q / "copyright" for q in packages) if p.exists()), None)
        if not found:
            raise SystemExit("package: no copyright file of %s is installed" % " or ".join(packages))
        shutil.copyfile(found, folder / name)


def elf_files(tree):
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with open(path, "rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def problems(tree, folders=()):
    """Sentences that say what keeps TREE from running elsewhere. FOLDERS: paths that no program may contain."""
    count = 0
    for path in elf_files(tree):
        count += 1
        name = str(path.relative_to(tree))
        allowed = SOLVER if path.name.startswith("libz3") else SYSTEM
        for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", path)):
            if needed not in allowed:
                yield "%s needs %s" % (name, needed)
        for symbol, major, minor in re.findall(r" UND (\S+)@GLIBC_(\d+)\.(\d+)", readelf("--dyn-syms", path)):
            if (int(major), int(minor)) > GLIBC:
                yield "%s needs %s of glibc %s.%s" % (name, symbol, major, minor)
        data = path.read_bytes()
        for folder in folders:
            if str(folder).encode() + b"/" in data:
                yield "%s contains the path %s" % (name, folder)
    if not count:
        yield "no program is in %s" % tree
    if list(tree.rglob("libstdc++.so*")):
        yield "libstdc++ is bundled"
