// RUN: %{python} %{expect} %s
// Each work-item goes as far from its own beginning as the others do.
__kernel void as_far(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0);
  __global const float *p = in + 4;
  p += l;
  __global const float *last = p + n;
  float sum = 0.0f;
  do {
    tile[l] = p[0];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: each begins n before its end
    sum += tile[15 - l];
    p += 16;
    barrier(CLK_LOCAL_MEM_FENCE); // miss: the same
  } while (p < last);
  out[get_global_id(0)] = sum;
}

__kernel void one_end(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0);
  __global const float *p = in + 4;
  __global const float *last = p + n;
  p += l;
  float sum = 0.0f;
  do {
    tile[l] = p[0];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    sum += tile[15 - l];
    p += 16;
  } while (p < last);
  out[get_global_id(0)] = sum;
}

__kernel void own_steps(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0);
  int at = l, last = l + n;
  float sum = 0.0f;
  while (at < last) {
    tile[l] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    sum += tile[15 - l];
    at += 1 + l;
  }
  out[get_global_id(0)] = sum;
}

__kernel void alike_steps(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0);
  int at = l, last = l + n;
  float sum = 0.0f;
  while (at < last) {
    tile[l] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE); // miss: all step alike
    sum += tile[15 - l];
    at += 16;
  }
  out[get_global_id(0)] = sum;
}

__kernel void some_step(__global const float *in, __global float *out, int n) {
  __local float tile[16];
  int l = get_local_id(0);
  int at = l, last = l + n;
  float sum = 0.0f;
  while (at < last) {
    tile[l] = in[at];
    barrier(CLK_LOCAL_MEM_FENCE); // HIT: not all work-items of a group reach this barrier
    sum += tile[15 - l];
    if (l < 8)
      at += 16;
    else
      at += 8;
  }
  out[get_global_id(0)] = sum;
}
