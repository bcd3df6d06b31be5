#!/usr/bin/env python3
"""Tests of the independent runner and the generator: known-bad rewrites must be detected, equal ones must
pass, launch-file expressions must have the values of C, and a seed must always give the same kernel.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

import generate
import harness
import runner

SOURCE = """__kernel void scale(__global const float *x, __global float *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = 2.0f * x[i] + 1.0f;
}
"""
LAUNCH = """source: scale.cl
kernel: scale
args:
  - { name: x, buffer: in, count: "n", data: { uniform: [-1, 1] } }
  - { name: y, buffer: out, count: "n" }
  - { name: n, value: "n" }
global: [ "roundup(n, 8)" ]
sizes: [ { n: 64 }, { n: 37 } ]
"""
VECTOR = """__kernel void scale4(__global const float *x, __global float *y, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 < n)
    vstore4(2.0f * vload4(0, x + i) + 1.0f, 0, y + i);
  else
    for (int k = i; k < n; ++k)
      y[k] = 2.0f * x[k] + 1.0f;
}
"""


class Runner(unittest.TestCase):
    def verdict(self, rewritten, launches=None):
        with tempfile.TemporaryDirectory() as d:
            launches = launches or [{"kernel": "scale4", "when": "1", "global": ["gx / 4"], "local": None, "offset": []}]
            for name, text in (("scale.cl", SOURCE), ("scale.launch.yaml", LAUNCH), ("new.cl", rewritten),
                               ("new.json", json.dumps({"version": 1, "kernels": [{"original": "scale", "launches": launches}]}))):
                with open(os.path.join(d, name), "w") as f:
                    f.write(text)
            return harness.run_independently(*(os.path.join(d, n) for n in ("scale.launch.yaml", "scale.cl", "new.cl", "new.json")))["verdict"]

    def test_equal(self):
        self.assertEqual(self.verdict(VECTOR), "equal")

    def test_wrong_value(self):
        self.assertEqual(self.verdict(VECTOR.replace("y[k] = 2.0f", "y[k] = 2.5f")), "different")

    def test_last_bit(self):
        self.assertEqual(self.verdict(VECTOR.replace("vload4(0, x + i) + 1.0f", "vload4(0, x + i) + 1.0000001f")), "different")

    def test_tail_left_out(self):
        self.assertEqual(self.verdict(VECTOR.replace("k < n", "k < n - 1")), "different")

    def test_write_beyond_the_end(self):
        self.assertEqual(self.verdict(VECTOR.replace("i + 3 < n", "i < n")), "different")

    def test_read_beyond_the_end_that_shows(self):
        self.assertEqual(self.verdict(VECTOR.replace("y[k] = 2.0f * x[k]", "y[k] = 2.0f * x[k + 1]")), "different")

    def test_items_left_out_by_the_manifest(self):
        self.assertEqual(self.verdict(VECTOR, [{"kernel": "scale4", "when": "gx > 40", "global": ["gx / 4"], "local": None, "offset": []},
                                               {"kernel": "scale4", "when": "gx <= 40", "global": ["1"], "local": None, "offset": []}]), "different")

    def test_typedef_of_a_vector(self):
        source = """typedef float4 real4;
__kernel void swapped(__global const real4 *x, __global real4 *y) {
  y[get_global_id(0)] = x[get_global_id(0)].wzyx;
}
"""
        launch = """source: swapped.cl
kernel: swapped
args:
  - { name: x, buffer: in, count: "n", data: { uniform: [-1, 1] } }
  - { name: y, buffer: out, count: "n" }
global: [ "n" ]
sizes: [ { n: 8 } ]
"""
        with tempfile.TemporaryDirectory() as d:
            for name, text in (("swapped.cl", source), ("swapped.launch.yaml", launch)):
                with open(os.path.join(d, name), "w") as f:
                    f.write(text)
            got = harness.run_independently(os.path.join(d, "swapped.launch.yaml"), os.path.join(d, "swapped.cl"), bench=1)
            self.assertEqual((got["verdict"], got.get("why")), ("equal", None))

    def test_does_not_build(self):
        self.assertEqual(self.verdict("this is no kernel"), "cannot")


class Expressions(unittest.TestCase):
    def test_values(self):
        names = {"n": 10, "m": -7}
        for text, value in (("2 + 3 * 4", 14), ("(2 + 3) * 4", 20), ("m / 2", -3), ("m % 2", -1), ("10 - 3 - 2", 5), ("-n + 1", -9),
                            ("roundup(n, 8)", 16), ("max(min(n, 3), m)", 3), ("n >= 10 && n % 5 == 0", 1), ("n < 3 || m > 0", 0),
                            ("m > 0 && n / 0 > 1", 0), ("n > 0 || n / 0 > 1", 1), ("1 < 2 == 1", 1)):
            self.assertEqual(runner.evaluate(text, names), value, text)

    def test_errors(self):
        for text in ("n +", "n / 0", "k", "9223372036854775807 + 1", "2 $ 3", "n)", "sqrt(n, 2)", ""):
            with self.assertRaises(runner.Expr, msg=text):
                runner.evaluate(text, {"n": 1})


class Generator(unittest.TestCase):
    def test_same_seed_same_kernel(self):
        for seed in range(40):
            for classes in (*generate.SETS, "all"):
                self.assertEqual(generate.generate(seed, classes), generate.generate(seed, classes))

    def test_same_seed_same_kernel_in_another_process(self):
        """The order of Python sets differs between processes."""
        made = {subprocess.run([sys.executable, os.path.join(harness.HERE, "generate.py"), "70186"], stdout=subprocess.PIPE, check=True,
                               env={**os.environ, "PYTHONHASHSEED": str(h)}).stdout for h in range(1, 7)}
        self.assertEqual(len(made), 1)

    def test_every_class_appears(self):
        self.assertEqual({generate.generate(s).kind for s in range(200)},
                         {"elementwise", "image", "stencil", "window", "staging", "stride", "product", "columns"})


    def test_rare_classes(self):
        """Every class appears, and sizes for the runner alone lie on both sides of where 16 bits end."""
        made = [generate.generate(s, "rare") for s in range(300)]
        self.assertEqual({k.kind for k in made}, {"wrapped", "casts", "amounts", "returns", "inplace", "macros", "fences", "rows",
                                                  "counters", "pairs", "contracted", "vectors"})
        largest = [max(s.get("n", 0) for s in k.further) for k in made if k.kind == "wrapped"]
        self.assertTrue(any(n > 65536 for n in largest) and all(n < 200000 for n in largest))
        self.assertTrue(all(k.further for k in made))


class Pieces(unittest.TestCase):
    def test_goes_on_where_it_stopped(self):
        with tempfile.TemporaryDirectory() as d:
            record = os.path.join(d, "record.jsonl")
            command = [sys.executable, os.path.join(harness.HERE, "fuzz"), "--only-originals", "--jobs=1", f"--record={record}"]
            first = subprocess.run(command + ["--count=1"], stdout=subprocess.PIPE, text=True, check=False).stdout
            self.assertIn("1 kernels: ", first)
            with open(record) as f:
                kept = f.read()
            # The second run has no time left: it can only report recorded outcomes.
            second = subprocess.run(command + ["--count=2", "--chunk=0.000001"], stdout=subprocess.PIPE, text=True, check=False).stdout
            self.assertIn("1 of 2 kernels done", second)
            self.assertNotIn("seed      1 ", second)
            with open(record) as f:
                self.assertEqual(f.read(), kept)


if __name__ == "__main__":
    unittest.main()
