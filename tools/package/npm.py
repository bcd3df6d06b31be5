"""The npm packages: `clmali` has the commands and asks for `@clmali/linux-CPU`, of which npm installs the one whose
"os" and "cpu" fit. The language server is left out: it makes the package twice as large, and editors bring theirs.

An npm package is a .tar.gz with all files below package/; it cannot hold links."""
import gzip
import io
import json
import stat
import tarfile
import zipfile

COMMANDS = ["clmali-lint", "clmali-rewrite", "clmali-run", "clmali-record", "clmali-inject"]
CPUS = {"x86_64": "x64", "aarch64": "arm64"}
ABOUT = {"description": "linter and verified rewriter for OpenCL C on Mali and PowerVR GPUs",
         "license": "Apache-2.0 WITH LLVM-exception", "keywords": ["opencl", "gpu", "mali", "powervr", "linter"]}

START = """\
// Starts a program of the package for this machine; the name of the link that was called says which.
"use strict";
const { spawnSync } = require("child_process");
const path = require("path");

module.exports = function (name) {
  const platform = `${process.platform}-${process.arch}`;
  let folder;
  try {
    folder = path.dirname(require.resolve(`@clmali/${platform}/package.json`));
  } catch {
    console.error(`clmali: the package @clmali/${platform} is not installed. There are packages for Linux (glibc 2.35 ` +
      "or later) on x64 and arm64; npm leaves them out with --omit=optional or --no-optional.");
    process.exit(2);
  }
  const done = spawnSync(path.join(folder, "bin", "clmali"), process.argv.slice(2), { argv0: name, stdio: "inherit" });
  if (done.error) {
    console.error(`clmali: ${done.error.message}`);
    process.exit(2);
  }
  if (done.signal) process.kill(process.pid, done.signal);
  process.exit(done.status);
};
"""


class Package:
    """A .tgz under construction. The same content gives the same file."""

    def __init__(self, path):
        self.path, self.bytes = path, io.BytesIO()
        self.tar = tarfile.open(fileobj=self.bytes, mode="w", format=tarfile.PAX_FORMAT)

    def add(self, name, content, executable=False):
        entry = tarfile.TarInfo("package/" + name)
        entry.size, entry.mode = len(content), 0o755 if executable else 0o644
        entry.mtime = 499162500  # the date that npm itself writes: before 1980, other tools fail
        self.tar.addfile(entry, io.BytesIO(content))

    def add_json(self, name, value):
        self.add(name, (json.dumps(value, indent=2) + "\n").encode())

    def close(self):
        self.tar.close()
        with open(self.path, "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
            packed.write(self.bytes.getvalue())
        return self.path


def wanted(tree, without=()):
    """(path below TREE, content, executable) of the files of an archive; links, which these packages cannot hold, and
    the programs in WITHOUT are left out."""
    for path in sorted(tree.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.name not in without:
            yield str(path.relative_to(tree)), path.read_bytes(), bool(path.stat().st_mode & stat.S_IXUSR)


def write_zip(path, files):
    """FILES: (name, content, executable). Dated 1980: the same content gives the same file."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name, content, executable in files:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, content)


def architecture(tree):
    return tree.name.rsplit("-", 1)[1]


def make(tree, version, output):
    cpu = CPUS[architecture(tree)]
    own = Package(output / ("clmali-linux-%s-%s.tgz" % (cpu, version)))
    own.add_json("package.json", {"name": "@clmali/linux-" + cpu, "version": version, **ABOUT, "os": ["linux"],
                                  "cpu": [cpu], "libc": ["glibc"], "preferUnplugged": True})
    for name, content, executable in wanted(tree, without={"clmali-clangd"}):
        # Nothing that only CMake, a shell or man would read.
        if name.startswith(("bin/", "lib/clmali/", "share/doc/clmali/copyright", "share/doc/clmali/licences/",
                            "share/clmali/")):
            own.add(name, content, executable)
    common = Package(output / ("clmali-%s.tgz" % version))
    common.add_json("package.json", {
        "name": "clmali", "version": version, **ABOUT, "engines": {"node": ">=16"},
        "bin": {"clmali": "bin/clmali.js", **{name: "bin/%s.js" % name for name in COMMANDS}},
        "optionalDependencies": {"@clmali/linux-" + c: version for c in CPUS.values()}})
    common.add("start.js", START.encode())
    for name in ["clmali", *COMMANDS]:
        common.add("bin/%s.js" % name, ("#!/usr/bin/env node\nrequire(\"../start.js\")(\"%s\");\n" % name).encode(), True)
    for name in ("README.md", "CHANGELOG.md"):
        common.add(name, (tree / "share/doc/clmali" / name).read_bytes())
    common.add("LICENSE", (tree / "share/doc/clmali/copyright").read_bytes())
    return [own.close(), common.close()]
