// Four values for each work-item in local memory, read one at a time: 16 lanes with a stride of 128 bits meet in a bank
// four at a time, for each of the four reads.
__kernel void bank_vectors(__global const float *in, __global float *out) {
  __local float tile[64 * 4];
  int l = get_local_id(0);
  int base = get_group_id(0) * 64 * 4;
  for (int k = 0; k < 4; k++)
    tile[k * 64 + l] = in[base + k * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float a = tile[l * 4], b = tile[l * 4 + 1], c = tile[l * 4 + 2], d = tile[l * 4 + 3];
  out[get_global_id(0)] = a * b + c * d;
}
