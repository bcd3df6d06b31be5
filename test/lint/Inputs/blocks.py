"""blocks.py N: prints a kernel of N blocks, each with two unions and some small loops."""
import sys

BLOCK = ("  { word a, b; int same = 1; for (int j = 0; j < 4; ++j) a.bytes[j] = j * %d; "
         "for (int j = 0; j < 4; ++j) b.bytes[j] = a.bytes[j] + 1; "
         "for (int j = 0; j < 4; ++j) same = same && a.bytes[j] == b.bytes[j]; "
         "if (!same) { for (int j = 0; j < 4; ++j) out[j] = b.bytes[j]; } }")

print("typedef union { int whole; int bytes[4]; } word;")
print("kernel void blocks(global int *out) {")
for n in range(int(sys.argv[1])):
    print(BLOCK % n)
print("}")
