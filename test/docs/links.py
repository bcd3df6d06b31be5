"""Links in the pages lead to files of the project, and README.md stays short: links.py SOURCE."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1]).resolve()
pages = [p for p in source.rglob("*.md") if not {"build", "node_modules"} & set(p.relative_to(source).parts)
         and not p.relative_to(source).parts[0].startswith("build-")]
assert len(pages) > 80, len(pages)
broken = []
for page in pages:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.S)  # code is no link
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:|#", target) and not (page.parent / target.split("#")[0]).exists():
            broken.append("%s: %s" % (page.relative_to(source), target))
assert not broken, "\n".join(broken)

lines = (source / "README.md").read_text().split("\n")
front = lines.index("<!-- rules -->")
assert front <= 120, "%d lines before the table of rules" % front
screen = "\n".join(lines[:40])
for wanted in ("./tools/demo", "./tools/test", "clmali-lint", "clmali-rewrite", ".svg"):
    assert wanted in screen, wanted
print("%d pages" % len(pages))
