#!/usr/bin/env python3
"""Draws a kernel before and after clmali-rewrite, with the judge's verdict: the picture at the top of README.md.

  tools/docs/picture.py [--check] PROGRAMS       PROGRAMS: the folder of clmali-lint and clmali-rewrite

--check only compares. Needs an OpenCL device."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).resolve().parent
DEVICE, TITLE = "mali-bifrost", "Mali Bifrost"
# Pixels: a line of code, a character of the font that every browser has some form of, margins.
LINE, CHARACTER, FONT, MARGIN = 17, 7.3, 12, 14
COLOURS = {"comment": "#57803f", "keyword": "#0000b8", "builtin": "#7a5a00", "plain": "#222222"}
WORDS = re.compile(r"(?P<comment>//.*)|(?P<keyword>\b(?:__kernel|__global|const|void|int|if|else|for|u?(?:char|short)\d*)\b)"
                   r"|(?P<builtin>\b(?:get_global_id|vload\d+|vstore\d+|convert_\w+)\b)")


def run(program, *arguments, cwd, codes=(0,)):
    done = subprocess.run([program, *arguments], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode not in codes:
        sys.exit("picture: %s: %s" % (program, done.stdout))
    return done.stdout


def make(programs):
    """(original, rewritten kernel, findings, verdict)"""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("average.cl", "average.launch.yaml"):
            shutil.copy(HERE / name, folder)
        found = json.loads(run(programs / "clmali-lint", "--no-config", "--no-cache", "--device=" + DEVICE, "--format=json",
                               "average.cl", cwd=folder, codes=(0, 1)))["findings"]
        run(programs / "clmali-rewrite", "--device=" + DEVICE, "-o", "out.cl", "average.cl", cwd=folder)
        verdict = json.load(open(os.path.join(folder, "out.verdict.json")))["verdicts"][-1]
        before = (HERE / "average.cl").read_text().strip().split("\n")
        after = pathlib.Path(folder, "out.cl").read_text().split("// clmali: rewritten from", 1)[1].strip().split("\n")
    # The last comment names the manifest; the first continues a line that was split.
    after = [line for line in after[1:] if line]
    warnings = sorted({f["rule"] for f in found if f["severity"] == "warning"})
    text = "%s: the same result %s" % (verdict["verdict"], {
        "proved": "is proved for every size", "proved-at": "is proved at the listed sizes",
        "tested": "was tested"}[verdict["basis"]])
    return before, after, "clmali-lint: " + ", ".join(warnings), text


def line_of(text):
    parts, at = [], 0
    for match in WORDS.finditer(text):
        parts += [("plain", text[at:match.start()]), (match.lastgroup, match[0])]
        at = match.end()
    return "".join('<tspan fill="%s">%s</tspan>' % (COLOURS[kind], escape(part)) for kind, part in
                   parts + [("plain", text[at:])] if part)


def draw(before, after, warnings, verdict):
    code = max(len(before), len(after))
    widths = [max(map(len, lines)) * CHARACTER + 2 * MARGIN for lines in (before, after)]
    height = (code + 2) * LINE + MARGIN
    total = sum(widths) + 3 * MARGIN
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="DejaVu Sans Mono, Menlo, Consolas, '
           'monospace" font-size="%d">' % (total, height + 2 * LINE + 2 * MARGIN, FONT),
           '<rect width="100%" height="100%" fill="#ffffff"/>']
    x = MARGIN
    for width, title, lines, note, colour in (
            (widths[0], "average.cl", before, None, "#8a8a8a"), (widths[1], "for " + TITLE, after, None, "#3a7d44")):
        out.append('<rect x="%.1f" y="%d" width="%.1f" height="%d" rx="6" fill="#f7f8fa" stroke="%s"/>'
                   % (x, MARGIN, width, height - MARGIN, colour))
        out.append('<text x="%.1f" y="%d" fill="%s" font-weight="bold">%s</text>' % (x + MARGIN, MARGIN + LINE, colour, title))
        for number, line in enumerate(lines):
            out.append('<text x="%.1f" y="%d" xml:space="preserve">%s</text>'
                       % (x + MARGIN, MARGIN + (number + 2) * LINE + 4, line_of(line)))
        x += width + MARGIN
    out.append('<text x="%d" y="%d" fill="#b35900">%s</text>' % (MARGIN, height + LINE + MARGIN // 2, escape(warnings)))
    out.append('<text x="%d" y="%d" fill="#2e7d32" font-weight="bold">%s</text>'
               % (MARGIN, height + 2 * LINE + MARGIN // 2, escape("clmali-rewrite: " + verdict)))
    return "\n".join(out) + "\n</svg>\n"


def main():
    arguments = [a for a in sys.argv[1:] if a != "--check"]
    if len(arguments) != 1:
        print(__doc__)
        return 2
    text = draw(*make(pathlib.Path(arguments[0]).resolve()))
    path = HERE / "average.svg"
    if "--check" not in sys.argv:
        path.write_text(text)
    elif path.read_text() != text:
        print("tools/docs/average.svg shows another rewrite than the present one; run tools/docs/picture.py PROGRAMS")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
