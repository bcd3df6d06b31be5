#!/usr/bin/env python3
"""Checks the reference kernels of laplace/ and sgemm/ with the independent runner:

  - every hand-written form gives the scalar kernel's result on all sizes of the launch file: bit by bit, or, if it adds in
    another order, within the tolerance of the launch file *_reordered;
  - the product with B transposed, by both of its launches, gives the naive product's result, bit by bit;
  - the SDK's vectorized SGEMM reproduces the published 4x4 example (alpha = 1, beta = 0.1).

Exit: 0 both are true, 1 not, 2 no device.
"""
import array
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "tools"), os.path.join(HERE, "..", "tools", "fuzz")]
sys.dont_write_bytecode = True
import harness  # noqa: E402
import runner   # noqa: E402
import systems  # noqa: E402

# The published result has six digits; this is one unit of the last.
TOLERANCE = 1e-6
PUBLISHED = [0.0321557, 0.347259, -0.225749, -0.897793,
             -0.221897, 0.117096, -0.413021, 0.333833,
             0.584754, -0.681301, -0.186507, 0.0857027,
             0.0925018, 0.5558, -0.250792, -0.360579]


def results(cl, launch, size, given=None):
    """{buffer: its bytes after the launch, without the guard zone}. given: contents of buffers, by name."""
    with open(launch.source()) as f:
        source = f.read()
    options = "-cl-kernel-arg-info"
    prog, _ = cl.build(source, options)
    run = runner.Run(cl, launch, runner.Types(cl, source, options), cl.kernel(prog, launch.kernel), size, 1)
    run.args = [(name, kind, (given or {}).get(name, raw), code) for name, kind, raw, code in run.args]
    out, _ = run.go(prog, run.plan(None), 0)
    return {name: bytes(out[name][:len(raw)]) for name, kind, raw, _ in run.args if kind == "buffer"}


def published_example(cl, kernel):
    """The largest difference from the published matrix."""
    launch = runner.Launch(os.path.join(HERE, "sgemm", "sgemm_published.launch.yaml"))
    launch.kernel, launch.doc["source"] = kernel, kernel + ".cl"
    result = array.array("f", results(cl, launch, launch.sizes[0])["C"])
    return max(abs(a - b) for a, b in zip(result, PUBLISHED))


def transposed(cl):
    """The orders at which sgemm_transposed, after transpose, differs from sgemm; and all orders."""
    naive, transpose, product = (runner.Launch(os.path.join(HERE, "sgemm", name + ".launch.yaml"))
                                 for name in ("sgemm", "transpose", "sgemm_transposed"))
    wrong = []
    for size in product.sizes:
        expected = results(cl, naive, size)
        # The naive launch changes C only; its data depend on the size alone, and so does the transposed launch's C.
        t = results(cl, transpose, size, {"B": bytearray(expected["B"])})["T"]
        got = results(cl, product, size, {"A": bytearray(expected["A"]), "T": bytearray(t)})
        if got["C"] != expected["C"]:
            wrong.append(size["n"])
    return wrong, [size["n"] for size in product.sizes]


def main():
    failed = False
    manifests = [m for system in ("laplace", "sgemm") for m in glob.glob(os.path.join(HERE, system, "*.manifest.json"))]
    for manifest in sorted(manifests):
        form = os.path.basename(manifest)[: -len(".manifest.json")]
        with open(manifest) as f:
            original = json.load(f)["kernels"][0]["original"]
        folder = os.path.dirname(manifest)
        got = harness.run_independently(systems.launch_of_form(manifest), os.path.join(folder, original + ".cl"),
                                        os.path.join(folder, form + ".cl"), manifest)
        why = next((r["different"] for r in got.get("runs", []) if "different" in r), got.get("why", ""))
        print(f"{form:20} against {original:16} {got['verdict']} {why}")
        failed |= got["verdict"] != "equal"
    try:
        cl = runner.CL()
        differences = [(kernel, published_example(cl, kernel)) for kernel in ("sgemm_sdk", "sgemm")]
        wrong, orders = transposed(cl)
    except runner.CLError as e:
        print(e, file=sys.stderr)
        return 2
    for kernel, d in differences:
        print(f"{kernel:20} published 4x4 example: largest difference {d:.1e}")
        failed |= not d <= TOLERANCE
    print("sgemm_transposed     against sgemm            %s" % (
        "different at order " + ", ".join(wrong) if wrong else "equal at orders " + ", ".join(orders)))
    return 1 if failed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
