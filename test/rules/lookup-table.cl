// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --fail-on=info --checks=-*,lookup-table --option=lookup-table.MaxElements=4 %s
__constant float weight[8] = {0, 1, 2, 3, 4, 5, 6, 7};
__constant int offset[8] = {0, 1, 2, 3, 4, 5, 6, 7};

__kernel void data(__global const uchar *level, __global float *out) {
  int i = get_global_id(0);
  out[i] = weight[level[i] & 7]; // HIT: the table 'weight' of 8 constants
}

__kernel void item(__global int *out) {
  int i = get_global_id(0);
  out[i] = offset[i & 7]; // HIT: the table 'offset' of 8 constants
}

__kernel void loop(__global float *out) {
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k)
    sum += weight[k]; // miss: the same for all work-items
  out[get_global_id(0)] = sum;
}

__kernel void buffer(__global const float *table, __global const uchar *level, __global float *out) {
  int i = get_global_id(0);
  out[i] = table[level[i]]; // miss: a buffer of the host's
}

__kernel void staged(__global const uchar *level, __global float *out) {
  __local float own[8];
  int l = get_local_id(0);
  if (l < 8)
    own[l] = weight[l]; // miss: a copy, each work-item its element
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = own[level[get_global_id(0)] & 7];
}
