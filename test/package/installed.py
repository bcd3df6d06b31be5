"""What is expected of each kind of package, once it is installed. Used by kinds.py and long.py."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

KERNEL = """__kernel void scale(__global const float *in, __global float *out, float f) {
  int i = get_global_id(0);
  out[i] = in[i] * f;
}
"""
# Includes a header that only the bundled headers of Clang have once a test has put it there.
HOST = """#include <stddef.h>
#include <bundled_marker.h>
typedef struct q *cl_command_queue;
typedef struct k *cl_kernel;
int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, unsigned, const size_t *, const size_t *, const size_t *, unsigned,
                           const void *, void *);
int run(cl_command_queue q, cl_kernel k) {
  size_t global = BUNDLED_SIZE;
  return clEnqueueNDRangeKernel(q, k, 1, NULL, &global, NULL, 0, NULL, NULL);
}
"""
PLAIN = {"PATH": "/usr/bin:/bin"}  # no HOME, no cache, no locale


def run(*command, code=0, **more):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if code is not None and done.returncode != code:
        sys.exit("%s\nexit code %d, not %s\n%s" % (" ".join(str(c) for c in command), done.returncode, code, done.stdout))
    return done.stdout


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def lints(*command, folder, **more):
    """COMMAND is a clmali-lint: it finds what is to be found, and its exit code comes through."""
    (folder / "scale.cl").write_text(KERNEL)
    said = run(*command, "--device=mali", "--no-cache", "scale.cl", cwd=folder, code=1, **more)
    assert re.search(r"scale\.cl:3:\d+: warning", said), said
    run(*command, "--device=mali", "--no-cache", "--fail-on=error", "scale.cl", cwd=folder, code=0, **more)
    assert "no such" in run(*command, "missing.cl", cwd=folder, code=2, **more).lower()


def archive(path, work):
    """Unpacks; the checksum beside the archive is right. Returns the tree."""
    run("sha256sum", "--check", path.name + ".sha256", cwd=path.parent)
    with tarfile.open(path) as file:
        file.extractall(fresh(work))
    tree, = work.iterdir()
    assert path.name == tree.name + ".tar.xz", tree
    lints(tree / "bin/clmali-lint", folder=work, env=PLAIN)
    for name in ("share/man/man1/clmali-lint.1", "share/doc/clmali/rules/integer-division.md",
                 "share/doc/clmali/CHANGELOG.md", "lib/clmali/libclmali-layer.so", "share/doc/clmali/licences/llvm-19"):
        assert (tree / name).exists(), name
    return tree


def headers(tree, work):
    """The bundled headers of Clang come before those of a Clang that is installed."""
    (tree / "lib/clmali/clang/include/bundled_marker.h").write_text("#define BUNDLED_SIZE 1009\n")
    (work / "host.c").write_text(HOST)
    said = run(tree / "bin/clmali-lint", "--no-cache", "--device=mali", "--checks=prime-work-size", "host.c", cwd=work,
               code=1, env=PLAIN)
    assert "host.c:8" in said and "1009" in said, said


def npm(files, work, program="clmali-lint", by_npm=True):
    """BY_NPM: false to unpack the files as npm would, where there is only node."""
    folder = fresh(work)
    (folder / "package.json").write_text("{}")
    home = {**os.environ, "HOME": str(folder), "npm_config_cache": str(folder / "cache")}
    if by_npm:
        run("npm", "install", "--offline", "--no-audit", "--no-fund", *files, cwd=folder, env=home)
        command = ["npx", "--offline", program]
    else:
        for path in files:
            with tarfile.open(path) as file:
                file.extractall(fresh(work / "one"))
            about = json.loads((work / "one/package/package.json").read_text())
            shutil.copytree(work / "one/package", folder / "node_modules" / about["name"])
        about = json.loads((folder / "node_modules/clmali/package.json").read_text())
        command = ["node", folder / "node_modules/clmali" / about["bin"][program]]
        for own in (folder / "node_modules/@clmali").iterdir():
            version = json.loads((own / "package.json").read_text())["version"]
            assert about["optionalDependencies"]["@clmali/" + own.name] == version, about
    lints(*command, folder=folder, env=home)
    # Without the package for this machine, the message names it.
    for own in (folder / "node_modules/@clmali").iterdir():
        shutil.rmtree(own)
    said = run(*command, "--version", cwd=folder, env=home, code=2)
    assert "@clmali/linux-" in said, said


def wheel(path, work):
    folder = fresh(work)
    run(sys.executable, "-m", "venv", folder / "venv")
    run(folder / "venv/bin/pip", "install", "--quiet", "--no-index", path)
    lints(folder / "venv/bin/clmali-lint", folder=folder, env=PLAIN)
    assert path.stat().st_size < 100e6, path.stat().st_size
    return folder / "venv/bin"


def vsix(path):
    """The manifest names what is in the file; the server may be executed."""
    with zipfile.ZipFile(path) as file:
        names = set(file.namelist())
        about = json.loads(file.read("extension/package.json"))
        manifest = file.read("extension.vsixmanifest").decode()
        for asset in re.findall(r'Path="([^"]+)"', manifest):
            assert asset in names, asset
        for name in [about["main"], *(l["configuration"] for l in about["contributes"]["languages"]),
                     *(g["path"] for g in about["contributes"]["grammars"])]:
            assert "extension/" + name.removeprefix("./") in names, name
        assert about["version"] in path.name and 'Version="%s"' % about["version"] in manifest
        server = file.getinfo("extension/server/bin/clmali-clangd")
        assert server.external_attr >> 16 & 0o100, oct(server.external_attr)
        assert b"vscode-languageclient" not in re.findall(rb'require\("([^"]+)"\)', file.read("extension/dist/extension.js"))
