#!/usr/bin/env python3
"""What clmali-record makes of launches: relations of the right variables or none, equal values tied together, and each
launch among the tests exactly as it was.

    fitting.py --bin=build/bin --work=FOLDER

Each case launches a small kernel from this script, which knows nothing of the recording, and compares lines of the launch
file. Near misses stand beside the hits: the same kernel with a launch that contradicts the relation.
"""
import argparse
import ctypes
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tools" / "fuzz"))
import runner  # noqa: E402

FLIP = """__kernel void k(__global const float *x, __global float *y, int cols, int rows) {
  int i = get_global_id(0), j = get_global_id(1);
  y[(rows - 1 - j) * cols + i] = x[j * cols + i];
}"""
TRIPLE = """__kernel void k(__global const uchar *x, __global float *y) {
  int i = get_global_id(0);
  y[i] = x[3 * i] + x[3 * i + 1] + x[3 * i + 2];
}"""
LOCAL = """__kernel void k(__global float *x, int n) {
  __local float t[256];
  int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_global_id(0) < n)
    x[get_global_id(0)] = t[get_local_size(0) - 1 - l];
}"""
PRODUCT = """__kernel void k(__global const float *a, __global const float *b, __global float *c, int m, int n, int depth,
                int lda, int ldb, int ldc) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < n && j < m) {
    float s = 0;
    for (int p = 0; p < depth; ++p)
      s += a[j * lda + p] * b[p * ldb + i];
    c[j * ldc + i] = s;
  }
}"""
GRAY = """__kernel void k(__global const uchar *from, int from_step, __global uchar *to, int to_step, int rows, int cols) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < cols && y < rows) {
    __global const uchar *p = from + y * from_step + 3 * x;
    to[y * to_step + x] = (p[0] + 2 * p[1] + p[2]) / 4;
  }
}"""
SCALE = """__kernel void k(__global const float *x, __global float *y, float f, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * f;
}"""

STRIDED = """__kernel void k(__global const float *x, int incx, __global float *y, int incy, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i * incy] += 2 * x[i * incx];
}"""

f32 = lambda v: {"value": struct.pack("f", v).hex()}
i32 = lambda v: {"value": struct.pack("i", v).hex()}
buffer = lambda size: {"buffer": size}


def launch(size, *arguments, local=None):
    return {"global": size, "local": local, "arguments": arguments}


def flip(w, h):
    return launch([w, h], buffer(4 * w * h), buffer(4 * w * h), i32(w), i32(h))


def triple(n):
    return launch([n], buffer(3 * n), buffer(4 * n))


def grouped(n, local):
    return launch([n], buffer(4 * n), i32(n), local=[local])


def product(n, lda, ldb, ldc):
    return launch([n, n], *(buffer(4 * ld * n) for ld in (lda, ldb, ldc)), i32(n), i32(n), i32(n),
                  i32(lda), i32(ldb), i32(ldc))


def gray(rows, cols, from_step, to_step):
    return launch([256, -(-rows // 8) * 8], buffer(from_step * rows), i32(from_step), buffer(to_step * rows), i32(to_step),
                  i32(rows), i32(cols))


def scale(n, f, room):
    return launch([-(-n // 64) * 64], buffer(4 * room), buffer(4 * room), f32(f), i32(n))


def strided(n, incx, incy):
    return launch([-(-n // 64) * 64], buffer(4 * n * incx), i32(incx), buffer(4 * n * incy), i32(incy), i32(n))


# name, source, launches, patterns that the launch file has, patterns that it must not have
CASES = [
    ("the-other-variable", FLIP, [flip(128, 96)], [r'global: \["cols", "rows"\]'], [r"/ 2"]),
    ("a-rounding-that-differs", FLIP, [flip(128, 96), flip(128, 104)], [r'global: \["(cols|128)", "rows"\]'], []),
    ("three-times", TRIPLE, [triple(7680), triple(8840)],
     [r'name: x, .*count: "3 \* global_x"', r'name: y, .*count: "global_x"'], ["count_x"]),
    ("three-times-once", TRIPLE, [triple(7680)], [r'count: "3 \* 7680"', r'global: \["7680"\]'], ["count_x"]),
    ("local-size-of-one-launch", LOCAL, [grouped(1024, 128)], [r'local: \["128"\]', r'global: \["n"\]'], []),
    ("local-size", LOCAL, [grouped(1024, 128), grouped(512, 128)], [r'local: \["128"\]', r'global: \["n"\]'], []),
    ("local-sizes-that-differ", LOCAL, [grouped(1024, 128), grouped(512, 64)], [r'local: \["[a-z(]', r'global: \["n"\]'],
     [r'local: \["128"\]']),
    ("equal-pitches", PRODUCT, [product(64, 72, 72, 72), product(96, 112, 112, 112)],
     [r'"ldb == lda"', r'"ldc == lda"', r'name: ldb, value: "lda"'], []),
    ("one-pitch-differs", PRODUCT, [product(64, 72, 72, 72), product(96, 112, 112, 120)], [r'"ldb == lda"'],
     [r'"ldc == lda"']),
    ("pitch-is-width", PRODUCT, [product(64, 64, 64, 64), product(96, 96, 96, 96)], [r'"ld[abc] == [mn]"'], [r"ld[abc] >="]),
    ("pitch-follows-row", GRAY, [gray(33, 97, 291, 97), gray(48, 64, 192, 64), gray(61, 200, 600, 200)],
     [r'"to_step == cols"', r'"from_step >= 3 \* cols"', r'name: to_step, value: "cols"'], ["cols == "]),
    ("pitch-beside-row", GRAY, [gray(33, 97, 320, 128), gray(48, 64, 192, 64)],
     [r'name: to_step, value: "to_step"', r'name: from_step, value: "from_step"'], ["_step == "]),
    ("strides-of-one", STRIDED, [strided(1000, 1, 1), strided(200, 1, 1)],
     ['name: incx, value: "1"', 'name: incy, value: "1"', 'name: n, value: "n"'], []),
    ("a-stride-of-two", STRIDED, [strided(1000, 1, 2), strided(200, 1, 2)], ['name: incx, value: "1"'],
     ['name: incy, value: "1"']),
    ("a-stride-that-differs", STRIDED, [strided(1000, 1, 1), strided(200, 3, 1)], ['name: incy, value: "1"'],
     ['name: incx, value: "1"']),
    ("rounded-by-its-guard", SCALE, [scale(1000, 2, 1000), scale(200, 2, 200)], [r'global: \["roundup\(n, (8|64)\)"\]'], []),
]


def play(path):
    """Launches what the file says: the program that is recorded."""
    case = json.loads(pathlib.Path(path).read_text())
    cl = runner.CL()
    program, _ = cl.build(case["source"], "")
    for one in case["launches"]:
        kernel = cl.kernel(program, "k")
        for i, a in enumerate(one["arguments"]):
            if "buffer" in a:
                handle = cl.buffer(bytearray(a["buffer"]))
                code = cl.lib.clSetKernelArg(kernel, i, ctypes.c_size_t(8), ctypes.byref(handle))
            else:
                raw = bytes.fromhex(a["value"])
                code = cl.lib.clSetKernelArg(kernel, i, ctypes.c_size_t(len(raw)), raw)
            cl.ok(code, f"argument {i}")
        cl.enqueue(kernel, one["global"], one["local"], None)
        cl.finish()


def record(given, name, source, launches):
    """(the folder of the program in the recording, its entry in index.json)"""
    work = given.work / name
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    (work / "case.json").write_text(json.dumps({"source": source, "launches": launches}))
    done = subprocess.run([given.bin / "clmali-record", f"--output={work / 'out'}", "--", sys.executable,
                           HERE / "fitting.py", "--play", work / "case.json"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name}: {done.stdout}")
    index = json.loads((work / "out" / "index.json").read_text())
    program = index["programs"][0]
    return work / "out" / program["key"], program["kernels"][0]


def exact_launches(given):
    """Another float, contents or room in a buffer: the launch has a launch file of its own, and is judged."""
    wrong = []
    folder, kernel = record(given, "exact", SCALE, [scale(1000, 2, 1024), scale(1000, 3, 1024), scale(200, 2, 4000)])
    texts = [(folder / f).read_text() for f in kernel["launchFiles"]]
    numbers = {tuple(re.search(p, t).group(1) for p in (r'name: f, value: "([^"]*)"', r'name: y, .*count: "([^"]*)"'))
               for t in texts[1:]}
    for wanted in (("3.0", "1024"), ("2.0", "4000")):
        if wanted not in numbers:
            wrong.append(f"exact: no launch with f and y's elements {wanted}: {sorted(numbers)}")
    # One launch file that gives all of them is enough.
    _, kernel = record(given, "exact-none", FLIP, [flip(32, 16)])
    if len(kernel["launchFiles"]) != 1:
        wrong.append(f"exact-none: {kernel['launchFiles']}")
    # A condition of the merged file is one of the exact files: together they demand no less.
    folder, kernel = record(given, "exact-require", PRODUCT, [product(64, 72, 72, 72), product(96, 112, 112, 112)])
    require = {re.search(r"^require: .*$|\Z", (folder / f).read_text(), re.M).group(0) for f in kernel["launchFiles"]}
    if len(kernel["launchFiles"]) < 2 or len(require) != 1 or "" in require:
        wrong.append(f"exact-require: {kernel['launchFiles']} {require}")
    rewrite = subprocess.run([given.bin / "clmali-rewrite", f"--recording={given.work / 'exact' / 'out'}",
                              "--device=mali-bifrost"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if rewrite.returncode or not re.search(r"^k .* held", rewrite.stdout, re.M):
        wrong.append("exact: " + rewrite.stdout)
    return wrong


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    p.add_argument("--bin", type=pathlib.Path)
    p.add_argument("--work", type=pathlib.Path)
    p.add_argument("--play")
    given = p.parse_args()
    if given.play:
        return play(given.play)
    given.bin, given.work = given.bin.resolve(), given.work.resolve()
    wrong = []
    for name, source, launches, wanted, unwanted in CASES:
        folder, _ = record(given, name, source, launches)
        text = (folder / "k.launch.yaml").read_text()
        for pattern in wanted:
            if not re.search(pattern, text):
                wrong.append(f"{name}: no {pattern} in\n{text}")
        for pattern in unwanted:
            if re.search(pattern, text):
                wrong.append(f"{name}: {pattern} in\n{text}")
    wrong += exact_launches(given)
    print("\n".join(wrong) or f"{len(CASES) + 3} cases")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
