#!/usr/bin/env python3
"""Fails when a layer includes a header that it must not include (see the table). Our own includes are written
from the root of the repository, so a textual search is exact."""
import pathlib
import re
import sys
import tempfile

# Layer (most specific folder first), own folders that it may include, whether it may include Clang,
# whether it may include the OpenCL API.
LAYERS = [
    ("rewriters/launch", {"rewriters/launch"}, False, False),
    ("rewriters/verify", {"rewriters/verify", "rewriters/launch"}, False, True),
    ("rewriters", {"rewriters", "rewriters/launch", "checks/model", "rules"}, True, False),
    ("checks/model", {"checks/model", "rules"}, True, False),
    ("checks/tidy", {"checks/tidy", "checks", "checks/model", "rules"}, True, False),
    ("checks", {"checks", "checks/model", "rules"}, False, False),
    ("rules", {"rules"}, False, False),
    ("tools", {"tools", "checks", "checks/model", "checks/tidy", "rules", "rewriters", "rewriters/launch",
               "rewriters/verify"}, True, True),
]
# Headers that checks may include. A check includes no other check.
SHARED_OF_CHECKS = {"checks/Barriers.h", "checks/Check.h", "checks/Query.h", "checks/HostQuery.h", "checks/Contiguity.h", "checks/Packing.h", "checks/Scatter.h"}
OURS = ("rules/", "checks/", "rewriters/", "tools/", "kernels/", "test/")
# Names of single kernels, which must not occur in checks, model and rewriters.
KERNEL_WORDS = re.compile(r"laplace|sgemm|sobel|saxpy", re.I)


def layer_of(path):
    for layer in LAYERS:
        if path.startswith(layer[0] + "/"):
            return layer
    return None


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
                target = layer_of(header)
                if target is None or target[0] not in allowed:
                    failures.append(where + "%s must not include %s" % (name, header))
                elif name == "checks" and header.startswith("checks/") and \
                        target[0] == "checks" and header not in SHARED_OF_CHECKS:
                    failures.append(where + "a check includes no other check (%s)" % header)
            elif header.startswith("clang/") and not clang:
                failures.append(where + "%s must not include Clang (%s)" % (name, header))
            elif header.startswith("CL/") and not opencl:
                failures.append(where + "%s must not include the OpenCL API (%s)" % (name, header))
            elif header.startswith("../"):
                failures.append(where + "includes are written from the root (%s)" % header)
        if name in ("checks", "checks/model", "rewriters"):
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
        "checks/model/a.cpp": '#include "checks/Check.h"\n',
        "rewriters/a.cpp": '#include "checks/Check.h"\n',
        "rewriters/b.cpp": '#include <CL/cl.h>\n',
        "rewriters/c.cpp": "// for sgemm only\n",
        "rewriters/verify/a.cpp": '#include "rewriters/Rewrite.h"\n',
        "rewriters/verify/b.cpp": '#include "clang/AST/AST.h"\n',
        "rewriters/launch/a.cpp": '#include "checks/model/Model.h"\n',
    }
    good = {
        "checks/c.cpp": '#include "checks/Query.h"\n#include "checks/model/Model.h"\n',
        "rewriters/verify/c.cpp": '#include <CL/cl.h>\n#include "rewriters/launch/Manifest.h"\n',
        "tools/lint/a.cpp": '#include "checks/Check.h"\n',
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
