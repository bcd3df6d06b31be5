"""Every program prints its version, the commit and the version of Clang in one line. The number is that of project() in
the top CMakeLists.txt, and the newest of CHANGELOG.md."""
import json
import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
number = re.search(r"^project\(clmali VERSION ([\d.]+) ", (source / "CMakeLists.txt").read_text(), re.M)[1]
newest = re.search(r"^## ([\d.]+)", (source / "CHANGELOG.md").read_text(), re.M)[1]
assert newest == number, (newest, number)
action = (source / "tools/ci/action/action.yml").read_text()
assert 'default: "%s"' % number in action, "the action installs another version"
for page in ("README.md", "tools/ci/README.md", "tools/bazel/README.md", "tools/ci/github-workflow.yml", ".pre-commit-hooks.yaml"):
    for other in re.findall(r"clmali(?:[-@]|.*@v)(\d+\.\d+\.\d+)|rev: v([\d.]+)", (source / page).read_text()):
        assert "".join(other) == number, (page, other)


def ask(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


for name in ("lint", "rewrite", "run", "record", "inject", "clangd", "model", "picture"):
    first = ask("clmali-" + name, "--version").split("\n")[0]
    assert re.fullmatch(r"clmali-%s %s \(commit (?:[0-9a-f]{12}\+?|unknown), Clang 19\.[\d.]+\)" % (name, re.escape(number)),
                        first), first
assert ask("clmali-compilers", "--version") == "clmali-compilers %s\n" % number
log = json.loads(ask("clmali-lint", "--format=json", "--fail-on=error", sys.argv[0].replace("versions.py", "scale.cl")))
assert log["version"] == number, log["version"]
