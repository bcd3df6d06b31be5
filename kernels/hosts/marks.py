"""Marks in the host programs: comments with the rules that report a line."""
import json
import pathlib
import re
import subprocess

RULES = pathlib.Path(__file__).resolve().parent.parent.parent / "rules"


def host_rules():
    return sorted(p.stem for p in RULES.glob("*.md") if re.search(r"^scope: host$", p.read_text(), re.M))


def marks(text):
    """{(line, rule)} of the marks; those of a line that is only a comment belong to the next one."""
    found = set()
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.search(r"(?:MISTAKE|FINDING): ([a-z -]+)", line)
        at = number + line.strip().startswith("//")
        found |= {(at, rule) for rule in mark.group(1).split()} if mark else set()
    return found


def lint(build, source, *options):
    return subprocess.run([str(build / "bin/clmali-lint"), "--no-config", "--device=mali", "--fail-on=error", *options,
                           str(source)], capture_output=True, text=True)


def compare_marks(build, source, rules):
    """What differs between the marks of a file and the findings of the rules."""
    report = json.loads(lint(build, source, "--format=json", "--checks=-*," + ",".join(rules)).stdout)
    seen = {(f["line"], f["rule"].replace("clmali-", "")) for f in report["findings"]}
    wanted = marks(source.read_text())
    return (["%s:%d: %s is not reported" % (source.name, line, rule) for line, rule in sorted(wanted - seen)] +
            ["%s:%d: %s is reported, and there is no mark" % (source.name, line, rule)
             for line, rule in sorted(seen - wanted)])
