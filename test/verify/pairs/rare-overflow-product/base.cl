// The product overflows for values outside the declared range. Compilers take the quotient as the value.
__kernel void largest(__global const int *in, __global uint *out, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int v = in[i];
    atomic_max(out, (uint)(v * 2 / 2));
  }
}
