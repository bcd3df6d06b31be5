__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void staged(__global const float *in, __global float *out) {
  __local float tile[1024];
  int l = get_local_id(0);
  tile[l * 16] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[16 * (63 - l)];
}
