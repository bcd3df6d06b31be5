#pragma OPENCL EXTENSION cl_intel_subgroups : enable
__attribute__((intel_reqd_sub_group_size(16)))
__kernel void blocks(__global const uint *in, __global uint *out, __read_only image2d_t image) {
  uint4 v = intel_sub_group_block_read4(in + 64 * get_group_id(0));
  uint2 w = intel_sub_group_block_read2(image, (int2)(0, 0));
  v.x = intel_sub_group_shuffle(v.x, 3) + intel_sub_group_shuffle_down(w.x, w.y, 1);
  intel_sub_group_block_write4(out + 64 * get_group_id(0), v);
}
