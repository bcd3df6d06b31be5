#!/usr/bin/env python3
"""Counts what makes the code hard to read, and fails when a count grows.

    ratchet.py ROOT            compares with ratchet.json beside this file
    ratchet.py ROOT --bless    writes the counts, if none grew
    ratchet.py ROOT --list     names what is counted, longest first
    ratchet.py --self-test

Counted: functions over 80 lines, files over 600 lines, folders with more than 25 sources (the rules'
own folder aside: one file for each rule), lambdas nested more than two deep, numbers that a rule
declares itself, lines over 100 columns, pairs of folders that include each other, analyses of kernels that a rewriter makes
outside of EditedKernel. The sources are the project's own C++; inputs of tests are not.
"""
import argparse
import collections
import json
import pathlib
import re
import sys
import tempfile

FUNCTION_LINES, FILE_LINES, FOLDER_FILES, LAMBDA_DEPTH, COLUMNS = 80, 600, 25, 2, 100
# Inputs of tests: code as users write it, never formatted.
INPUTS = re.compile(r"test/(rules|lint|tidy|clangd|report|install)/(?!.*Test\.(cpp|h)$)|/Inputs/")
SCOPE = re.compile(r"\b(namespace|class|struct|union|enum)\b|extern \"C\"")
ANALYSIS = re.compile(r"\bKernelAnalysis(?: \w+)? ?[({;]|\bKernelAnalysis \w+;|<(?:const )?(?:model::)?KernelAnalysis>\(")
INCLUDE = re.compile(r'^#include "(\w[^"]*)"', re.M)
LAMBDA = re.compile(r"\[[^\[\]]*\]\s*(\([^{}]*\))?\s*(mutable\s*)?(->[^{}]*)?$")
LITERALS = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)


def blank(text):
    """The text with comments and literals blanked out; lines stay."""
    return LITERALS.sub(lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)


def shapes(text):
    """(functions as (first line, last line, name), nesting depth of each lambda as (line, depth))"""
    functions, lambdas, stack = [], [], []
    code, start, line = blank(text), 0, 1
    parens = 0
    for i, c in enumerate(code):
        if c == "\n":
            line += 1
        elif c == "(":
            parens += 1
        elif c == ")":
            parens -= 1
        elif c == ";" and not parens:
            start = i + 1
        elif c == "{":
            header = code[start:i]
            inside = any(kind in ("function", "lambda") for kind, _, _ in stack)
            if LAMBDA.search(header):
                kind = "lambda"
                lambdas.append((line, 1 + sum(k == "lambda" for k, _, _ in stack)))
            elif not inside and SCOPE.search(re.sub(r"<[^<>]*>|\([^()]*\)", "", header)) and not re.search(r"\)\s*(const)?\s*$", header):
                kind = "scope"
            elif not inside and "(" in header:
                kind = "function"
            else:
                kind = "other"
            stack.append((kind, line - header.strip().count("\n"), (parens, header)))
            start, parens = i + 1, 0
        elif c == "}" and stack:
            kind, first, (parens, header) = stack.pop()
            if kind == "function":
                name = re.search(r"([\w:~]+)\s*\(", header)
                functions.append((first, line, name.group(1) if name else "?"))
            start = i + 1
    return functions, lambdas


def sources(root):
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix in (".cpp", ".h") and name.split("/")[0] in ("checks", "rewriters", "rules", "tools", "test", "kernels") \
                and not INPUTS.search(name):
            yield name, path.read_text()


def count(root):
    found = collections.defaultdict(list)
    folders, includes = collections.Counter(), {}  # includes: (folder, included folder) -> the first file
    for name, text in sources(root):
        lines = text.split("\n")
        folder = name.rsplit("/", 1)[0]
        if not (folder == "checks" and name[7].islower()):
            folders[folder] += 1
        if len(lines) - 1 > FILE_LINES:
            found["files over 600 lines"].append((len(lines) - 1, name))
        functions, lambdas = shapes(text)
        found["functions over 80 lines"] += [(b - a + 1, "%s:%d %s" % (name, a, what)) for a, b, what in functions if b - a + 1 > FUNCTION_LINES]
        found["lambdas over 2 deep"] += [(depth, "%s:%d" % (name, at)) for at, depth in lambdas if depth > LAMBDA_DEPTH]
        found["lines over 100 columns"] += [(len(l), "%s:%d" % (name, n)) for n, l in enumerate(lines, 1) if len(l) > COLUMNS]
        if folder == "checks" and name[7].islower():
            found["numbers in rules"] += [(1, "%s:%d" % (name, n)) for n, l in enumerate(blank(text).split("\n"), 1)
                                          if re.search(r"\bconstexpr\b(?!.*StringLiteral)(?!.*char)", l)]
        if folder.startswith("rewriters") and not folder.startswith("rewriters/verify") and not name.endswith("/EditedKernel.cpp"):
            found["analyses outside the cache"] += [(1, "%s:%d" % (name, n)) for n, l in enumerate(blank(text).split("\n"), 1)
                                                    if ANALYSIS.search(l)]
        for header in INCLUDE.findall(text):
            if "/" in header and header.rsplit("/", 1)[0] != folder:
                includes.setdefault((folder, header.rsplit("/", 1)[0]), name)
    found["mutual includes"] = [(1, "%s (%s) and %s (%s)" % (a, includes[a, b], b, includes[b, a]))
                                for a, b in includes if a < b and (b, a) in includes]
    found["folders over 25 files"] = [(n, f) for f, n in folders.items() if n > FOLDER_FILES]
    return found


KINDS = ["functions over 80 lines", "files over 600 lines", "folders over 25 files", "lambdas over 2 deep",
         "numbers in rules", "lines over 100 columns", "mutual includes",
         "analyses outside the cache"]


def grown(now, limits):
    return ["%s: %d, at most %d are allowed" % (k, now[k], limits[k]) for k in KINDS if now[k] > limits[k]]


def self_test():
    """Each kind is seen when it is there, and only then."""
    body = "".join("  f(%d);\n" % n for n in range(FUNCTION_LINES))
    bad = {
        "checks/model/a.cpp": "namespace n {\nvoid longOne(int A) {\n%s}\n} // namespace n\n" % body,
        "checks/model/b.cpp": "int X;\n" * (FILE_LINES + 1),
        "checks/model/c.cpp": "void f() {\n  a([&] { b([&](int) { c([&] { d(); }); }); });\n}\n",
        "checks/rule.cpp": "constexpr unsigned Few = 3;\n",
        "checks/model/d.cpp": "// " + "x" * COLUMNS + "\n",
        "test/rules/input.cpp": "// " + "x" * COLUMNS + "\n",
        "rewriters/a/a.cpp": '#include "rewriters/b/b.h"\n',
        "rewriters/b/b.h": '#include "rewriters/a/a.h"\n',
        "rewriters/c.cpp": "void f() {\n  KernelAnalysis A(M, K);\n}\n",
    }
    bad.update({"rules/x%d.cpp" % n: "\n" for n in range(FOLDER_FILES + 1)})
    good = {"checks/model/a.cpp": "struct S {\n%s};\n" % ("  int f(int);\n" * 90),
            "rewriters/a/a.cpp": '#include "rewriters/b/b.h"\n', "rewriters/b/b.cpp": '#include "rewriters/b/b.h"\n',
            "rewriters/c.cpp": "void f(const KernelAnalysis &A) {\n  g(E.analysis()); // KernelAnalysis A(M, K);\n}\n"}
    for files, expected in ((bad, 1), (good, 0)):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = count(pathlib.Path(folder))
        for kind in KINDS:
            if len(found[kind]) != expected:
                print("FAIL: %s: %d found, %d expected: %s" % (kind, len(found[kind]), expected, found[kind]))
                return 1
    now = dict.fromkeys(KINDS, 1)
    return 0 if grown(now, dict.fromkeys(KINDS, 0)) and not grown(now, now) else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", nargs="?")
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    if args.self_test:
        return self_test()
    file = pathlib.Path(__file__).parent / "ratchet.json"
    found = count(pathlib.Path(args.root))
    now = {kind: len(found[kind]) for kind in KINDS}
    limits = json.loads(file.read_text()) if file.exists() else now
    if args.list:
        for kind in KINDS:
            print("%s: %d" % (kind, now[kind]))
            for size, what in sorted(found[kind], reverse=True):
                print("  %5d %s" % (size, what))
        return 0
    failures = grown(now, limits)
    for failure in failures:
        print("FAIL: " + failure + " (ratchet.py ROOT --list names them)")
    if args.bless and not failures:
        file.write_text(json.dumps(now, indent=2) + "\n")
    elif not failures and now != limits:
        print("fewer than allowed; `ratchet.py ROOT --bless` lowers the limits: %s" % now)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
