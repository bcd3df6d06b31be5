#!/usr/bin/env python3
"""Fails when a layer includes a header that it must not include (see the table). Our own includes are written
from the root of the repository, so a textual search is exact."""
import pathlib
import re
import sys
import tempfile

# (folder, folders that it may include besides itself, may it include Clang, may it include the
# OpenCL API). The longest folder that holds a file is its layer; a folder stands for all below it.
MODEL, REWRITERS = "checks/model/", "rewriters/"
# The kernel library: below it, nothing includes Clang or the front end (frontend, lift, host).
KERNEL = [MODEL + folder for folder in ("ir", "analysis", "launch", "cost", "pattern")]
PASSES = KERNEL + [REWRITERS + "lanes", REWRITERS + "pass"]  # what every transformation may include
LAYERS = [
    ("rules", [], False, False),
    # The model, in the order in which a kernel passes through it.
    (MODEL + "ir", [], False, False),
    (MODEL + "lift", [MODEL + "ir"], True, False),
    (MODEL + "frontend", [MODEL + "ir", MODEL + "lift", MODEL + "host/Host.h"], True, False),
    (MODEL + "analysis", [MODEL + "ir"], False, False),
    (MODEL + "launch", [MODEL + "ir", "rules"], False, False),
    (MODEL + "cost", [MODEL + "ir", MODEL + "analysis", MODEL + "launch", "rules"], False, False),
    (MODEL + "pattern", [MODEL + "ir", MODEL + "analysis", MODEL + "launch", MODEL + "cost", "rules"], False, False),
    (MODEL + "host", [MODEL + "ir", MODEL + "frontend"], True, False),
    ("checks/query", ["checks/Check.h", "checks/model", "rules"], False, False),
    ("checks/tidy", ["checks/Check.h", "checks/KnownFindings.h", "checks/model", "rules"], True, False),
    # A rule includes no other rule.
    ("checks", ["checks/Check.h", "checks/KnownFindings.h", "checks/Unfinished.h", "checks/query", "checks/model", "rules"], False, False),
    ("rewriters/launch", [], False, False),
    # The judge: inputs, runs of them, and the checks that it makes.
    ("rewriters/verify/facts", [], False, False),
    ("rewriters/verify/cases", ["rewriters/launch", "rewriters/verify/Judge.h", "rewriters/verify/facts"], False, True),
    ("rewriters/verify/symbolic", ["rewriters/launch"], False, False),
    ("rewriters/verify/generic", ["rewriters/launch", "rewriters/verify/symbolic"], False, False),
    ("rewriters/verify/run", ["rewriters/launch", "rewriters/verify/Judge.h", "rewriters/verify/cases"], False, True),
    ("rewriters/verify/rungs", ["rewriters/launch", "rewriters/verify"], False, True),
    ("rewriters/verify", ["rewriters/launch", "rewriters/verify"], False, True),
    # The rewriters, each above those that it may include.
    (REWRITERS + "lanes", KERNEL, False, False),
    (REWRITERS + "pass", KERNEL + ["rules"], False, False),
    (REWRITERS + "normalize", PASSES, False, False),
    (REWRITERS + "loops", PASSES, False, False),
    (REWRITERS + "memory", PASSES, False, False),
    (REWRITERS + "blocking/analysis", PASSES, False, False),
    (REWRITERS + "blocking/phases", PASSES + [REWRITERS + "blocking", REWRITERS + "blocking/analysis"], False, False),
    (REWRITERS + "blocking", PASSES + [REWRITERS + "blocking/analysis"], False, False),
    (REWRITERS + "staging", PASSES + [REWRITERS + "launch", "rules"], False, False),
    ("rewriters", PASSES + [REWRITERS + "blocking", REWRITERS + "staging", "rules"], False, False),
    (REWRITERS + "print", KERNEL + [REWRITERS + "launch", REWRITERS + "pass"], True, False),
    (REWRITERS + "plan", PASSES + [REWRITERS + "launch", REWRITERS + "normalize", REWRITERS + "blocking",
                                   REWRITERS + "print", "rules"], False, False),
    ("tools", ["checks", "rules", "rewriters"], True, True),
]
LAYERS.sort(key=lambda layer: -len(layer[0]))
# Guesses at what a recording or a given option knows: asked by the front end alone. Two headers there only read text.
GUESSES = (MODEL + "frontend/tolerant/", MODEL + "host/repair/")
FRONT_END = (MODEL + "frontend", MODEL + "host")
READERS = (GUESSES[0] + "TokenScan.h", GUESSES[0] + "SourceText.h")
OURS = ("rules/", "checks/", "rewriters/", "tools/", "kernels/", "test/")
# Names of single kernels, which must not occur in checks, model and rewriters.
KERNEL_WORDS = re.compile(r"laplace|sgemm|sobel|saxpy", re.I)


def layer_of(path):
    return next((layer for layer in LAYERS if path.startswith(layer[0] + "/")), None)


def allows(layer, header):
    """May a file of the layer include the header?"""
    name, allowed = layer[0], layer[1]
    if header.startswith(GUESSES) and header not in READERS and name not in FRONT_END:
        return False
    # Of the rules' own folder only what is shared: a rule includes no other rule.
    own = header.startswith(name + "/") and name != "checks" and layer_of(header) == layer
    return own or any(header == a or header.startswith(a + "/") for a in allowed)


def check(root):
    failures, files = [], 0
    for file in sorted(root.rglob("*")):
        path = file.relative_to(root).as_posix()
        layer = layer_of(path)
        if layer is None or file.suffix not in (".h", ".cpp"):
            continue
        files += 1
        name, allowed, clang, opencl = layer
        text = file.read_text()
        for line, include in enumerate(text.split("\n"), 1):
            match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', include)
            if not match:
                continue
            header = match.group(1)
            where = "%s:%d: " % (path, line)
            if header.startswith(OURS):
                if not allows(layer, header):
                    failures.append(where + "%s must not include %s" % (name, header))
            elif header.startswith("clang/") and not clang:
                failures.append(where + "%s must not include Clang (%s)" % (name, header))
            elif header.startswith("CL/") and not opencl:
                failures.append(where + "%s must not include the OpenCL API (%s)" % (name, header))
            elif header.startswith("../"):
                failures.append(where + "includes are written from the root (%s)" % header)
        if path.startswith(("checks/", "rewriters/")) and not path.startswith("rewriters/verify/"):
            for line, words in enumerate(text.split("\n"), 1):
                if KERNEL_WORDS.search(words):
                    failures.append("%s:%d: names a single kernel: %s" % (path, line, words.strip()))
    return failures, files


def self_test():
    """Checks that this test detects violations."""
    cases = {
        "rules/a.cpp": '#include "checks/Check.h"\n',
        "checks/a.cpp": '#include "checks/other-check.h"\n',
        "checks/b.cpp": '#include "clang/AST/AST.h"\n',
        "checks/query/a.cpp": '#include "checks/model/host/repair/MissingClasses.h"\n',
        "tools/lint/b.cpp": '#include "checks/model/frontend/tolerant/MacroInference.h"\n',
        "checks/model/lift/a.cpp": '#include "checks/Check.h"\n',
        "checks/model/ir/a.cpp": '#include "checks/model/analysis/Analysis.h"\n',
        "checks/model/analysis/a.cpp": '#include "clang/AST/AST.h"\n',
        "checks/model/pattern/a.cpp": '#include "checks/model/lift/Lift.h"\n',
        "checks/model/cost/a.cpp": '#include "checks/model/pattern/X.h"\n',
        "rewriters/a.cpp": '#include "checks/Check.h"\n',
        "rewriters/b.cpp": '#include <CL/cl.h>\n',
        "rewriters/c.cpp": "// for sgemm only\n",
        "rewriters/lanes/a.cpp": '#include "rewriters/pass/Pass.h"\n',
        "rewriters/lanes/b.cpp": '#include "checks/model/frontend/Frontend.h"\n',
        "rewriters/pass/a.cpp": '#include "rewriters/plan/Planner.h"\n',
        "rewriters/memory/a.cpp": '#include "rewriters/blocking/Block.h"\n',
        "rewriters/blocking/analysis/a.cpp": '#include "rewriters/blocking/Block.h"\n',
        "rewriters/verify/a.cpp": '#include "rewriters/plan/Rewrite.h"\n',
        "rewriters/verify/b.cpp": '#include "clang/AST/AST.h"\n',
        "rewriters/launch/a.cpp": '#include "checks/model/ir/Model.h"\n',
    }
    good = {
        "checks/c.cpp": '#include "checks/query/Query.h"\n#include "checks/model/ir/Model.h"\n',
        "rewriters/verify/c.cpp": '#include <CL/cl.h>\n#include "rewriters/launch/Manifest.h"\n',
        "rewriters/plan/a.cpp": '#include "rewriters/blocking/Block.h"\n',
        "tools/lint/a.cpp": '#include "checks/Check.h"\n#include "checks/model/frontend/tolerant/TokenScan.h"\n',
    }
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in {**cases, **good}.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        failures, _ = check(root)
    blamed = {f.split(":")[0] for f in failures}
    for name in sorted(set(cases) - blamed):
        print("FAIL: not detected:", name)
    for name in sorted(blamed & set(good)):
        print("FAIL: reported without a violation:", name)
    return 0 if blamed == set(cases) else 1


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    failures, files = check(pathlib.Path(sys.argv[1]))
    for failure in failures:
        print("FAIL:", failure)
    print("%d files checked" % files)
    return 1 if failures or files == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
