__kernel void shift(__global const int *x, __global int *y, __global int *hits) {
  __local int tile[16];
  int l = get_local_id(0), i = get_global_id(0);
  tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = l > 0 ? tile[l - 1] : 0;
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
