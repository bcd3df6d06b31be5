"""The Python wheel: the unpacked archive as the package `clmali`, with a command for each program.

A wheel is a .zip, in which links are not allowed: the commands start the one program under their names."""
import base64
import hashlib

import npm
import portable

LIMIT = 100e6  # bytes that the Python package index takes for a file

START = '''"""Starts the programs of clmali, which lie in this package."""
import os
import sys


def _start(name, program="clmali"):
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", program)
    try:
        os.execv(path, [name, *sys.argv[1:]])
    except OSError as problem:
        sys.exit("clmali: cannot start %s: %s; it runs on Linux with glibc 2.35 or later" % (path, problem))

'''


def function(command):
    return command.replace("-", "_")


def make(tree, version, output):
    arch = npm.architecture(tree)
    tag = "py3-none-manylinux_%d_%d_%s" % (*portable.GLIBC, arch)
    info = "clmali-%s.dist-info/" % version
    commands = [("clmali", "clmali"), *((name, "clmali") for name in npm.COMMANDS), ("clmali-clangd", "clmali-clangd")]
    code = START + "".join('\ndef %s():\n    _start("%s", "%s")\n' % (function(name), name, program)
                           for name, program in commands)
    files = [("clmali/__init__.py", code.encode(), False)]
    files += [("clmali/" + name, content, executable) for name, content, executable in npm.wanted(tree)
              if not name.startswith(("share/man/", "share/bash-completion/", "share/zsh/", "share/fish/", "lib/cmake/"))]
    files += [
        (info + "METADATA", ("Metadata-Version: 2.1\nName: clmali\nVersion: %s\nSummary: %s\nLicense: %s\n"
                             "Requires-Python: >=3.7\nDescription-Content-Type: text/markdown\n\n%s"
                             % (version, npm.ABOUT["description"], npm.ABOUT["license"],
                                (tree / "share/doc/clmali/README.md").read_text())).encode(), False),
        (info + "WHEEL", ("Wheel-Version: 1.0\nGenerator: clmali %s\nRoot-Is-Purelib: false\nTag: %s\n"
                          % (version, tag)).encode(), False),
        (info + "entry_points.txt", ("[console_scripts]\n" + "".join("%s = clmali:%s\n" % (name, function(name))
                                                                    for name, _ in commands)).encode(), False)]
    record = "".join("%s,sha256=%s,%d\n" % (name, base64.urlsafe_b64encode(hashlib.sha256(content).digest())
                                            .rstrip(b"=").decode(), len(content)) for name, content, _ in files)
    files.append((info + "RECORD", (record + info + "RECORD,,\n").encode(), False))
    path = output / ("clmali-%s-%s.whl" % (version, tag))
    npm.write_zip(path, files)
    if path.stat().st_size > LIMIT:
        raise SystemExit("package: %s has %d bytes, more than %d" % (path, path.stat().st_size, LIMIT))
    return [path]
