__kernel void mirror(__global const int *x, __global int *y) {
  __local int t[64];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = t[63 - l];
}
