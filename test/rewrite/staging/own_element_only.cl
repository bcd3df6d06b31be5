// expect: held passes=delocalize device=mali-bifrost
// expect: held
// Staging without sharing: each item reads back only what it wrote, with an unneeded barrier.
__kernel void own_element_only(__global const float *x, __global float *y, __local float *buf, float k) {
  int l = get_local_id(0);
  int g = get_group_id(0) * get_local_size(0) + l;
  buf[l] = x[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = buf[l];
  y[g] = v * v * k;
}
