// bank_vectors by hand: one read of 128 bits fetches the four values.
// items: 1
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void bank_vectors_hand(__global const float *restrict in, __global float *restrict out) {
  __local float4 tile[64];
  int l = get_local_id(0);
  int base = get_group_id(0) * 64 * 4;
  for (int k = 0; k < 4; k++)
    ((__local float *)tile)[k * 64 + l] = in[base + k * 64 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 v = tile[l];
  out[get_global_id(0)] = v.s0 * v.s1 + v.s2 * v.s3;
}
