// bank_stride by hand: one float of padding after each 16, so that neighbouring work-items read from different banks.
// items: 1
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void bank_stride_hand(__global const float *restrict in, __global float *restrict out) {
  __local float tile[64 * 17];
  int l = get_local_id(0);
  int base = get_group_id(0) * 64 * 16;
  for (int k = 0; k < 16; k++) {
    int at = k * 64 + l;
    tile[at + at / 16] = in[base + at];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = 0; k < 16; k++)
    sum += tile[l * 17 + k];
  out[get_global_id(0)] = sum;
}
