#!/usr/bin/env python3
"""Writes into CONTRIBUTING.md what it quotes from files of the project. --check only compares.

Behind a line `<!-- quoted from FILE -->` the fenced block is the text of FILE; with `, until "TEXT"` the lines before
the first one that begins with TEXT.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
QUOTE = re.compile(r'^( *)<!-- quoted from (\S+?)(?:, until "(.*)")? -->\n( *```\w*\n).*?(^ *```\n)', re.M | re.S)


def quoted(match):
    indent, name, until, opening, closing = match.groups()
    lines = (ROOT / name).read_text().splitlines()
    if until:
        lines = lines[:next(n for n, line in enumerate(lines) if line.startswith(until))]
    while not lines[-1]:
        lines.pop()
    head = match.group(0)[:match.group(0).index("\n") + 1]
    return head + opening + "".join((indent + line).rstrip() + "\n" for line in lines) + closing


def main():
    page = ROOT / "CONTRIBUTING.md"
    before = page.read_text()
    after, quotes = QUOTE.subn(quoted, before)
    if not quotes or sys.argv[1:] not in ([], ["--check"]):
        print("usage: quote.py [--check]; CONTRIBUTING.md quotes %d files" % quotes)
        return 2
    if sys.argv[1:] and before != after:
        print("FAIL: CONTRIBUTING.md differs from the files that it quotes: run tools/docs/quote.py")
        return 1
    if before != after:
        page.write_text(after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
