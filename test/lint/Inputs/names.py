"""names.py N: prints a kernel that uses N constants of the host, in as many helpers."""
import sys

count = int(sys.argv[1])
for n in range(count):
    print("float f%d(float x) { return x * %d.5f + sin(x); }" % (n, n))
print("kernel void use(global float *out) {\n  float s = 0;")
for n in range(count):
    print("  s += f%d(out[%d] + HOST_%d);" % (n, n, n))
print("  out[get_global_id(0)] = s;\n}")
