// expect: refused data-dependent-store
// A permutation whose target is read from memory.
__kernel void scatter_by_index(__global const int *where, __global const float *x, __global float *y) {
  int i = get_global_id(0);
  y[where[i]] = x[i];
}
