// RUN: %{python} %{expect} %s
// A barrier of a function that several kernels call: advice holds for all of them, or is not given.
void stage(__global const float *in, __local float *tile) {
  int l = get_local_id(0);
  tile[l] = 2.0f * in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: smooth needs it
}

void own(__global const float *in, __local float *tile) {
  int l = get_local_id(0);
  tile[l] = 2.0f * in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: no two accesses around this barrier can conflict (also in kernel 'twice')
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void scale(__global const float *in, __global float *out) {
  __local float tile[64];
  stage(in, tile);
  out[get_global_id(0)] = tile[get_local_id(0)] + 1.0f;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void smooth(__global const float *in, __global float *out) {
  __local float tile[64];
  stage(in, tile);
  int l = get_local_id(0);
  out[get_global_id(0)] = tile[l] + tile[(l + 1) & 63];
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void once(__global const float *in, __global float *out) {
  __local float tile[64];
  own(in, tile);
  out[get_global_id(0)] = tile[get_local_id(0)] + 1.0f;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1))) void twice(__global const float *in, __global float *out) {
  __local float tile[64];
  own(in, tile);
  out[get_global_id(0)] = tile[get_local_id(0)] * 2.0f;
}
