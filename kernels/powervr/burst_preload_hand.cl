// burst_preload by hand: async_work_group_copy, with the size of the group known to the compiler.
// items: 1
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void burst_preload_hand(__global const float *restrict in, __global float *restrict out) {
  __local float tile[256];
  int l = get_local_id(0);
  event_t copied = async_work_group_copy(tile, in + get_group_id(0) * 256, 256, 0);
  wait_group_events(1, &copied);
  float sum = 0;
  for (int k = 0; k < 256; k++)
    sum += tile[k] * tile[(k + l) & 255];
  out[get_global_id(0)] = sum;
}
