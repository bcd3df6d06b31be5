// barrier_distance by hand: the arithmetic stands between the write and the barrier.
// items: 1
__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void barrier_distance_hand(__global const float *restrict in, __global float *restrict out, float a, float b) {
  __local float tile[64];
  int i = get_global_id(0), l = get_local_id(0);
  float v = in[i];
  tile[l] = v;
  float own = ((v * a + b) * v + a) * v + b;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = own + tile[63 - l];
}
