// RUN: %{python} %{expect} %s
#define FENCE barrier(CLK_LOCAL_MEM_FENCE)
__kernel void after(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a;
  FENCE; // miss: a store comes before it
  float v = part[63 - l];
  FENCE; // HIT: directly follows a read of local memory
  float w = a * a;
  part[l] = v + w;
  FENCE; // miss: a store comes before it
  out[get_global_id(0)] = part[l ^ 1];
}

__kernel void between(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a;
  FENCE;
  float v = part[63 - l];
  float w = a * a;
  FENCE; // miss: arithmetic comes before it
  part[l] = v + w;
  FENCE;
  out[get_global_id(0)] = part[l ^ 1];
}

__kernel void after_a_loop(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a;
  FENCE; // miss: a store comes before it
  float v = 0.0f;
  for (int k = 0; k < 8; ++k)
    v += part[(l + k) & 63];
  FENCE; // HIT: directly follows a read of local memory
  part[l] = v;
  float w = a * a;
  FENCE; // miss: arithmetic comes before it
  out[get_global_id(0)] = part[l ^ 1] + w;
}

__kernel void what_was_read(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a;
  FENCE;
  float v = part[63 - l];
  FENCE; // miss: what follows waits for the read itself
  float w = v * a;
  part[l] = w;
  FENCE;
  out[get_global_id(0)] = part[l ^ 1];
}

__kernel void nothing_to_move(__global float *out, float a) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = a;
  FENCE;
  float v = part[63 - l];
  FENCE; // miss: what follows needs what is read behind the barrier
  float u = part[l];
  float w = u * a;
  part[l] = v + w;
  FENCE;
  out[get_global_id(0)] = part[l ^ 1];
}
