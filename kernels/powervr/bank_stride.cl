// A stride of 512 bits in local memory: each work-item adds up 16 neighbouring floats of a tile, so that all 16 lanes of a
// cycle read from one bank.
__kernel void bank_stride(__global const float *in, __global float *out) {
  __local float tile[64 * 16];
  int l = get_local_id(0);
  int base = get_group_id(0) * 64 * 16;
  for (int k = 0; k < 16; k++)
    tile[k * 64 + l] = in[base + k * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 16; k++)
    sum += tile[l * 16 + k];
  out[get_global_id(0)] = sum;
}
