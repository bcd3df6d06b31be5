"""odd_files.py LINT: unusual files, unusual names, terminals."""
import json
import os
import pty
import subprocess
import sys

lint = sys.argv[1]
KERNEL = "__kernel void f(__global float *x) { x[get_global_id(0)] = 1.0f; }\n"
WARNING = ":1:38: warning: kernel 'f': 'x' is written one float at a time"
CHECKS = ["--device=mali", "--checks=-*,scalar-global-access"]


def run(*files, code=0, stdin=None, **more):
    done = subprocess.run([lint, *CHECKS, *files], capture_output=True, input=stdin, timeout=60, **more)
    assert done.returncode == code, (files, done)
    return done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")


def write(name, data):
    with open(name, "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return name


# Encodings and line endings.
assert WARNING in run(write("crlf.cl", KERNEL.replace("\n", "\r\n")), code=1)
assert "\r" not in run("crlf.cl", code=1)
assert ":1:41: warning" in run(write("bom.cl", b"\xef\xbb\xbf" + KERNEL.encode()), code=1), "columns count bytes"
assert WARNING in run(write("no-end.cl", KERNEL.strip()), code=1)
assert ":2:38: warning" in run(write("latin.cl", b"// caf\xe9\n" + KERNEL.encode()), code=1)
json.loads(run("latin.cl", "--format=json", code=1))
write("latin2.cl", KERNEL.encode().replace(b"1.0f; }", b"1.0f; /* caf\xe9 */ }"))
for form in ("json", "sarif"):
    json.loads(run("latin2.cl", "--format=" + form, code=1))
for form in ("junit", "github", "text"):
    assert "x" in run("latin2.cl", "--format=" + form, code=1)

# Files that are not OpenCL C source.
for name, data, message in [
        ("empty.cl", "", "the file is empty; there is no kernel to lint"),
        ("blank.cl", " \n\t\n", "the file is empty; there is no kernel to lint"),
        ("binary.cl", b"\x7fELF\0\1\2", "this is a binary file"),
        ("utf16.cl", b"\xff\xfe" + KERNEL.encode("utf-16-le"), "this is UTF-16 text; save it as UTF-8"),
        ("garbage.cl", bytes(range(1, 256)) * 50, "cannot lint"),
        ("huge.cl", b"a" * (17 << 20), "it has 17 MiB, which is no source that a person wrote"),
        ("deep.cl", "(" * 100000, "bracket nesting level"),
        ("cut.cl", KERNEL[:40], "cannot lint")]:
    said = run(write(name, data), code=2)
    assert name in said and message in said, said
    assert len(said.split("\n")) < 30 and "PLEASE submit" not in said, said
os.remove("huge.cl")
os.symlink("loop.cl", "loop.cl")
assert "loop.cl: cannot lint" in run("loop.cl", code=2)
os.symlink("nowhere.cl", "dangling.cl")
assert "no such file" in run("dangling.cl", code=2)
assert "this is no regular file" in run("/dev/null", code=2)
if os.geteuid():
    write("secret.cl", KERNEL)
    os.chmod("secret.cl", 0)
    assert "secret.cl: cannot lint: cannot read it: Permission denied" in run("secret.cl", code=2)

# A link to a folder above is followed once; a folder named .cl is not a file; hidden folders are skipped.
os.makedirs("tree/a.cl/.git")
write("tree/a.cl/k.cl", KERNEL)
write("tree/a.cl/.git/hidden.cl", KERNEL)
os.symlink("../..", "tree/a.cl/up")
said = run("tree", code=1)
assert said.count("warning:") == 1 and "tree/a.cl/k.cl:1:38" in said, said

# Standard input, with an assumed name and the settings of that name's folder.
assert "<stdin>" + WARNING in run("-", stdin=KERNEL.encode(), code=1)
write("tree/.clmali.yaml", "fail-on: error\n")
assert "tree/new.cl" + WARNING in run("-", "--assume-filename=tree/new.cl", stdin=KERNEL.encode())
assert "the file is empty" in run("-", stdin=b"", code=2)
assert "--fix changes files" in run("--fix", "-", code=2)
assert "no path is -" in run("--assume-filename=a.cl", "crlf.cl", code=2)
assert WARNING in run("/dev/fd/0", stdin=KERNEL.encode(), code=1), "a pipe"

# File names are reported as given.
os.mkdir("with space")
for name in ("./with space/\u00e9.cl", "with space//\u00e9.cl", os.path.abspath("with space/\u00e9.cl")):
    write(name, KERNEL)
    assert run(name, code=1).startswith(name + WARNING), name
assert run("with space/\u00e9.cl", "./with space/\u00e9.cl", code=1).count("warning:") == 1, "one file given twice"

# An output that cannot be written is reported before any work; devices and links are written through.
assert "cannot write 'no/where'" in run("--output=no/where", "crlf.cl", code=2)
assert "cannot write 'tree'" in run("--output=tree", "crlf.cl", code=2)
assert "cannot write" in run("--write-baseline=tree", "crlf.cl", code=2)
assert WARNING in run("--output=/dev/stdout", "crlf.cl", code=1)
write("target.txt", "")
os.symlink("target.txt", "link.txt")
run("--output=link.txt", "crlf.cl", code=1)
assert os.path.islink("link.txt") and WARNING in open("target.txt").read()
if os.path.exists("/dev/full"):
    with open("/dev/full", "w") as full:
        done = subprocess.run([lint, *CHECKS, "crlf.cl"], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2 and b"cannot write the report" in done.stderr, done

# Fixes keep line endings, byte order mark and the link.
write("fix.cl", b"\xef\xbb\xbf// \r\n__kernel void f(__global int *a) {\r\n"
                b"  int i = get_global_id(0);\r\n  a[i] = i < 0 ? 0 : i;\r\n}\r\n")
os.symlink("fix.cl", "fixed-link.cl")
done = subprocess.run([lint, "--device=mali", "--checks=-*,manual-clamp", "--fix", "fixed-link.cl"], capture_output=True)
data = open("fix.cl", "rb").read()
assert done.returncode == 0 and data.startswith(b"\xef\xbb\xbf// \r\n") and b"max(" in data, (done, data)
assert data.count(b"\r\n") == data.count(b"\n") == 5 and os.path.islink("fixed-link.cl")


# Colours only on terminals, and not if NO_COLOR is set.
def on_terminal(**variables):
    main, side = pty.openpty()
    child = subprocess.Popen([lint, *CHECKS, "crlf.cl"], stdout=side, stderr=side, stdin=subprocess.DEVNULL,
                             env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **variables})
    os.close(side)
    said = b""
    try:
        while True:
            part = os.read(main, 4096)
            if not part:
                break
            said += part
    except OSError:
        pass  # the other side of the terminal was closed
    child.wait()
    os.close(main)
    return said


assert b"\x1b[" in on_terminal()
assert b"\x1b[" not in on_terminal(NO_COLOR="1")
assert "\x1b[" not in run("crlf.cl", code=1, env={k: v for k, v in os.environ.items() if k != "NO_COLOR"})
print("all files are handled")
