#!/usr/bin/env python3
"""Checks the reference kernels of laplace/ and sgemm/ with the independent runner:

  - every hand-written form gives the scalar kernel's result, bit by bit, on all sizes of its launch file;
  - the SDK's vectorized SGEMM reproduces the published 4x4 example (alpha = 1, beta = 0.1).

Exit: 0 both are true, 1 not, 2 no device.
"""
import array
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tools", "fuzz"))
import harness  # noqa: E402
import runner   # noqa: E402

# The published result has six digits; this is one unit of the last.
TOLERANCE = 1e-6
PUBLISHED = [0.0321557, 0.347259, -0.225749, -0.897793,
             -0.221897, 0.117096, -0.413021, 0.333833,
             0.584754, -0.681301, -0.186507, 0.0857027,
             0.0925018, 0.5558, -0.250792, -0.360579]


def published_example(kernel):
    """The largest difference from the published matrix."""
    launch = runner.Launch(os.path.join(HERE, "sgemm", "sgemm_published.launch.yaml"))
    launch.kernel = kernel
    cl = runner.CL()
    with open(os.path.join(HERE, "sgemm", kernel + ".cl")) as f:
        source = f.read()
    options = "-cl-kernel-arg-info"
    prog, _ = cl.build(source, options)
    run = runner.Run(cl, launch, runner.Types(cl, source, options), cl.kernel(prog, kernel), launch.sizes[0], 1)
    out, _ = run.go(prog, run.plan(None), 0)
    result = array.array("f", bytes(out["C"][:64]))
    return max(abs(a - b) for a, b in zip(result, PUBLISHED))


def main():
    failed = False
    manifests = [m for system in ("laplace", "sgemm") for m in glob.glob(os.path.join(HERE, system, "*.manifest.json"))]
    for manifest in sorted(manifests):
        form = os.path.basename(manifest)[: -len(".manifest.json")]
        with open(manifest) as f:
            original = json.load(f)["kernels"][0]["original"]
        folder = os.path.dirname(manifest)
        got = harness.run_independently(os.path.join(folder, original + ".launch.yaml"), os.path.join(folder, original + ".cl"),
                                        os.path.join(folder, form + ".cl"), manifest)
        why = next((r["different"] for r in got.get("runs", []) if "different" in r), got.get("why", ""))
        print(f"{form:16} against {original:8} {got['verdict']} {why}")
        failed |= got["verdict"] != "equal"
    for kernel in ("sgemm_sdk", "sgemm"):
        try:
            d = published_example(kernel)
        except runner.CLError as e:
            print(e, file=sys.stderr)
            return 2
        print(f"{kernel:16} published 4x4 example: largest difference {d:.1e}")
        failed |= not d <= TOLERANCE
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
