// expect: held passes=vectorize
// The OpenCL 1.0 spelling, on local memory.
#pragma OPENCL EXTENSION cl_khr_local_int32_base_atomics : enable
__kernel void old_style_atom(__global const uchar *d, __global int *o) {
  __local int h[16];
  int l = get_local_id(0);
  if (l < 16)
    h[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&h[d[get_global_id(0)] >> 4], 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16)
    o[get_group_id(0) * 16 + l] = h[l];
}
