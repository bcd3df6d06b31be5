#!/usr/bin/env python3
"""Tests of the planter: every effect changes the text at one place, what it plants builds and is shown
to differ, and an equivalent change is not. Needs an OpenCL device, but neither rewriter nor judge.
"""
import json
import os
import random
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "fuzz")]
import faults    # noqa: E402
import runner    # noqa: E402
import text      # noqa: E402
import triggers  # noqa: E402
import witness   # noqa: E402

SOURCE = """__kernel void scale(__global const uchar *x, __global uchar *y, uint k, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * k + 1;
}
"""
REWRITTEN = SOURCE + """
__kernel void scale_v4(__global const uchar *x, __global uchar *y, uint k, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 < n) {
    uchar4 x_v = vload4(0, x + i);
    vstore4(x_v * (uchar)k + (uchar)1, 0, y + i);
  } else {
    for (int i_2 = i; i_2 <= i + 3 && i_2 < n; ++i_2)
      y[i_2] = x[i_2] * k + 1;
  }
}
"""
LAUNCH = """source: scale.cl
kernel: scale
args:
  - { name: x, buffer: in, count: "n" }
  - { name: y, buffer: out, count: "n" }
  - { name: k, value: "3" }
  - { name: n, value: "n" }
global: [ "roundup(n, 4)" ]
sizes: [ { n: 64 }, { n: 37 } ]
"""
MANIFEST = {"version": 1, "kernels": [{"original": "scale", "require": [], "launches": [
    {"kernel": "scale_v4", "when": "gx % 4 == 0", "global": ["gx / 4"], "local": None, "offset": ["0"]},
    {"kernel": "scale", "when": "gx % 4 != 0", "global": ["gx"], "local": None, "offset": ["0"]}]}]}


class Places(unittest.TestCase):
    def test_sites(self):
        k = text.read(REWRITTEN, "scale_v4")
        self.assertEqual([(p.name, p.space, p.type) for p in k.parameters],
                         [("x", "global", ("uchar", 1)), ("y", "global", ("uchar", 1)), ("k", "", ("uint", 1)), ("n", "", ("int", 1))])
        self.assertEqual([(s.buffer, s.lanes, s.value) for s in k.stores],
                         [("y", 4, "x_v * (uchar)k + (uchar)1"), ("y", 1, "x[i_2] * k + 1")])
        self.assertEqual([(s.buffer, s.lanes, s.pointer) for s in k.loads], [("x", 4, "(x + i)")])

    def test_only_kernels_are_read(self):
        self.assertIsNone(text.read("void scale(int n) { }\n__kernel void other() { scale(1); }", "scale"))


class Planted(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.paths = {}
        for name, content in (("scale.launch.yaml", LAUNCH), ("scale.cl", SOURCE), ("base.cl", REWRITTEN),
                              ("base.json", json.dumps(MANIFEST))):
            self.paths[name] = os.path.join(self.folder.name, name)
            with open(self.paths[name], "w", encoding="utf-8") as f:
                f.write(content)
        self.launch = runner.Launch(self.paths["scale.launch.yaml"])

    def shown(self, fault):
        for name, content in (("mutant.cl", fault.text), ("mutant.json", json.dumps(fault.manifest))):
            with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as f:
                f.write(content)
        return witness.search(self.paths["scale.launch.yaml"], self.paths["scale.cl"],
                              (self.paths["base.cl"], self.paths["base.json"]), fault, self.folder.name)[0]

    def test_same_seed_same_fault(self):
        make = lambda: faults.plant(REWRITTEN, MANIFEST, self.launch, "scale", random.Random(7))
        a, b = make(), make()
        self.assertEqual(a and (a.kind, a.text, a.manifest), b and (b.kind, b.text, b.manifest))

    def test_every_effect_differs_somewhere(self):
        """Faults of each effect that this kernel has; nothing else than the fault's line is changed."""
        seen = {}
        for seed in range(400):
            f = faults.plant(REWRITTEN, MANIFEST, self.launch, "scale", random.Random(seed))
            if not f or seen.get(f.effect) == "differs":
                continue
            changed = [a for a, b in zip(REWRITTEN.split("\n"), f.text.split("\n")) if a != b]
            self.assertEqual(len(changed), 0 if f.effect.startswith("manifest") else 1, f.text)
            got = self.shown(f)
            self.assertNotIn(got, ("base", "does not build"), f.text)
            seen[f.effect] = got
        self.assertEqual({e for e, got in seen.items() if got == "differs"},
                         {"wrong lane", "swapped lanes", "lost store", "stray store", "wrong constant",
                          "wrong address", "guard off by one", "lost iteration", "narrow id",
                          "manifest: fewer work-items", "manifest: launch left out", "manifest: other offset"})

    def test_equivalent_change(self):
        t = triggers.Trigger("never", "n == 37 && n == 38", {"n": "37"})
        f = faults.Fault("wrong lane", t, 1, REWRITTEN.replace("vstore4(", "if (n == 37 && n == 38) ; else vstore4("),
                         MANIFEST, "scale_v4")
        self.assertEqual(self.shown(f), "none")

    def test_wrong_base_is_told(self):
        with open(self.paths["base.cl"], "w", encoding="utf-8") as f:
            f.write(REWRITTEN.replace("i + 3 < n", "i + 2 < n"))
        t = triggers.Trigger("size equals", "n == 39", {"n": "39"})
        f = faults.Fault("wrong lane", t, 1, REWRITTEN.replace("(uchar)1", "(uchar)2"), MANIFEST, "scale_v4")
        self.assertEqual(self.shown(f), "base")


if __name__ == "__main__":
    unittest.main()
