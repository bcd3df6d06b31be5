"""growth.py LINT: fails where the steps of the analyses grow faster than the kernel. Doubling the kernel may
take 2.3 times the steps."""
import os
import re
import subprocess
import sys
import tempfile

lint, here = sys.argv[1], os.path.dirname(os.path.abspath(__file__))


def blocks(n):
    return subprocess.run([sys.executable, os.path.join(here, "blocks.py"), str(n)], capture_output=True, text=True,
                          check=True).stdout


def branches(n):
    """Variables that branches change, one after the other."""
    lines = ["  int v%d = in[get_global_id(0) + %d];\n  if (v%d > %d) v%d -= in[%d];" % (i, i, i, i, i, i) for i in range(n)]
    return ("kernel void f(global int *out, global const int *in) {\n" + "\n".join(lines) + "\n  out[get_global_id(0)] = " +
            " + ".join("v%d" % i for i in range(0, n, 8)) + ";\n}\n")


def steps(text):
    with tempfile.NamedTemporaryFile("w", suffix=".cl") as f:
        f.write(text)
        f.flush()
        p = subprocess.run([lint, "--no-cache", "--no-config", "--print-work", "--device=mali-bifrost", f.name],
                           capture_output=True, text=True)
    return int(re.search(r"(\d+) steps", p.stderr).group(1))


failed = False
for make in (blocks, branches):
    small, large = steps(make(200)), steps(make(400))
    if large > 2.3 * small:
        print("%s: %d steps for 200, %d for 400" % (make.__name__, small, large))
        failed = True
sys.exit(failed)
