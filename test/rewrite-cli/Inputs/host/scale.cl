// FACTOR and TILE are macros that only the host knows; groups are of TILE work-items.
#if !defined(FACTOR) || !defined(TILE)
#error the host defines these
#endif
__kernel void scale(__global const float *x, __global float *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = FACTOR * x[i];
}
__kernel void rotate_tile(__global const float *x, __global float *y) {
  __local float tile[TILE];
  int l = get_local_id(0), i = get_global_id(0);
  tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = tile[(l + 1) % TILE];
}
