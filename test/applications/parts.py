#!/usr/bin/env python3
"""tools/applications without packages: the tables that it reads and writes, and the workload that needs no package.

    parts.py --bin=build/bin --work=FOLDER
"""
import argparse
import importlib.machinery
import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "applications" / "applications"
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("applications", str(SCRIPT))
applications = importlib.util.module_from_spec(importlib.util.spec_from_loader("applications", loader))
sys.modules["applications"] = applications
loader.exec_module(applications)

TABLE = """recorded on a device (CPU), seen as mali-g610
kernel                                 time  program             outcome
scale                                   60%  0123456789abcdef +2 held with [vectorize:4], predicted 2.0x; proved for every size; tested at 7 sizes
blur                                    30%  0123456789abcdef    refused: program.cl:23:5: staging-not-a-copy (delocalize): 'a' is | none
sum                                      9%  fedcba9876543210    held with [coarsen:4], predicted 2.5x; proved at 6 sizes, up to n=34; n is 1
pow                                      1%  fedcba9876543210    held with [coarsen:4], predicted 2.5x; tested at 6 sizes
other                                    0%  fedcba9876543210    not recorded: an image of a format
"""
GIVEN = None


class Tables(unittest.TestCase):
    def test_rows(self):
        rows, cut = applications.table_rows(TABLE)
        self.assertEqual([(k.name, k.share, k.program) for k in rows[:2]],
                         [("scale", 60, "0123456789abcdef +2"), ("blur", 30, "0123456789abcdef")])
        self.assertEqual([k.reason() for k in rows], ["held", "staging-not-a-copy", "held", "held", "not recorded"])
        self.assertEqual([k.basis() for k in rows], ["proved", "", "proved-at", "tested", ""])
        self.assertFalse(cut)
        self.assertTrue(applications.table_rows(TABLE + "ended by a signal: more\n")[1])
        self.assertEqual(applications.table_rows("no table"), ([], False))

    def test_counts(self):
        self.assertEqual(applications.counted(["b", "a", "b"]), "2 b, 1 a")
        self.assertEqual(applications.counted([]), "")

    def test_page(self):
        rows, _ = applications.table_rows(TABLE)
        done = applications.Result(applications.TINY, "1.2", kernels=rows, launches=12, recorded=7, cut=True, findings="no findings",
                                   same="same", times={"kernels": [(2, 1), (3, 1), (1, 1)], "program": []})
        left = applications.Result(applications.WORKLOADS[0], problem="not installed: python3-opencv")
        given = argparse.Namespace(device="mali-g610", limit=60, rounds=3)
        page = applications.markdown([done, left], given, "a device", "today")
        again = applications.Result.of(done.workload, json.loads(json.dumps(done.figures())))
        self.assertEqual(applications.markdown([again, left], given, "a device", "today"), page)
        self.assertIn("| tiny | 1.2 | 7 | 12 | 3 (1 proved, 1 proved-at, 1 tested) | 70 % | 1 not recorded, 1 staging-not-a-copy, "
                      "2 not reached (0 % of the time) | same | 2.00 (1.00 to 3.00) | - |", page)
        self.assertIn("| OpenCV |  | not installed: python3-opencv |", page)
        self.assertIn("7 kernels recorded, 5 reached, 3 held", page)
        self.assertIn("'a' is \\| none", page)  # a bar would end the cell
        widths = {line.count(" | ") for line in page.split("## tiny")[0].splitlines() if line.startswith("|")}
        self.assertEqual(len(widths), 1, "all rows have the same number of cells")

    def test_reports(self):
        self.assertEqual(applications.decoded('{"a": 1}\n{"a": [2]}\n'), [{"a": 1}, {"a": [2]}])

    def test_versions(self):
        self.assertEqual(applications.version_of("no-such-package"), "")
        self.assertEqual(applications.missing_packages(["no-such-package"]), ["no-such-package"])

    def test_workloads(self):
        """Each has its source, names packages, and no place of a machine."""
        for w in applications.WORKLOADS:
            self.assertTrue(w.packages, w.name)
            files = [w.source] + [p for p in w.command + w.prepare if "{here}" in p]
            for file in filter(None, files):
                self.assertTrue((SCRIPT.parent / file.replace("{here}/", "")).exists(), file)


class Programs(unittest.TestCase):
    def test_list(self):
        done = subprocess.run([SCRIPT, "--list"], text=True, capture_output=True, check=True)
        self.assertEqual(len(done.stdout.splitlines()), len(applications.WORKLOADS))
        unknown = subprocess.run([SCRIPT, "--only=unknown"], text=True, capture_output=True, check=False)
        self.assertIn("--list names them", unknown.stderr)

    def test_tiny(self):
        page, work = GIVEN.work / "tiny.md", GIVEN.work / "tiny"
        shutil.rmtree(work, ignore_errors=True)
        done = subprocess.run([SCRIPT, "--only=tiny", "--bin=%s" % GIVEN.bin, "--output=%s" % page, "--work=%s" % work, "--rounds=1",
                               "--device=mali-g610"], text=True, capture_output=True, check=True)
        text = page.read_text()
        self.assertRegex(text, r"\| tiny \|  \| 2 \| 4 \| 1 \(1 proved\) \| \d+ % \| 1 atomic \| same \| \d", done.stdout)
        self.assertRegex(text, r"\| `count` \| \d+ % \| refused: program.cl:\d+:\d+: atomic ")
        self.assertRegex(text, r"Lint: \d+ findings in launched kernels \(")
        self.assertIsNone(re.search(re.escape(str(GIVEN.work)), text), "the page names a place of this machine")


def main():
    global GIVEN
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    GIVEN = parser.parse_args()
    unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()
