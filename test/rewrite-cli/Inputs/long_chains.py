"""long_chains.py REWRITE: dependence chains in which each value uses the previous one several times."""
import subprocess
import sys

chosen = ["s = s < %d ? s + %d : s > %d ? s - %d : s * 2;" % (i, i, 1000 - i, i) for i in range(60)]
rounds = ["w[%d] += w[%d] + (w[%d] << 3);" % (i, i - 1, i - 3) for i in range(4, 64)]
KERNELS = {
    "chosen.cl": ("__global uint *out", ["uint s = get_global_id(0);", *chosen, "out[s] = s;"], "cross-item-dependence"),
    "rounds.cl": ("__global uint *out, __global const uint *in, int n",
                  ["uint w[64];", *("w[%d] = in[get_global_id(0) * 4 + %d];" % (i, i) for i in range(4)),
                   "for (int k = 0; k < n; ++k) {", *rounds, "}", "if (w[63] < n) out[w[62]] = w[61];"], "(plan)")}
for name, (parameters, statements, refusal) in KERNELS.items():
    with open(name, "w") as file:
        file.write("__kernel void f(%s) {\n  %s\n}\n" % (parameters, "\n  ".join(statements)))
    # Each takes less than a second; following a definition anew for each use would exceed the time limit.
    done = subprocess.run([sys.argv[1], "--device=mali-midgard", "--no-verify", name], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and refusal in done.stderr, (name, done)
