// RUN: %{python} %{expect} %s
// Steps of one work-item that need each other have no neighbours for lanes.
#define GROUP __attribute__((reqd_work_group_size(64, 1, 1)))
GROUP __kernel void scan_of_one(__global const float *in, __global float *out) {
  __local float s[64];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    for (int k = 1; k < 64; ++k)
      s[k] += s[k - 1]; // miss: 63 steps, one after another
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[l];
}

GROUP __kernel void sum_of_one(__global const float *in, __global float *out) {
  __local float s[64];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (!l) {
    float sum = 0.0f;
    int k = 0;
    while (k < 64)
      sum += s[k++]; // miss: each sum needs the one before
    out[get_group_id(0)] = sum;
  }
}

GROUP __kernel void product_of_one(__global const float *in, __global float *out) {
  __local float s[64];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 1) {
    float last = s[0];
    for (int k = 1; k < 64; ++k) {
      last = last * s[k]; // miss: the same with a product
      s[k] = last;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[l];
}

GROUP __kernel void scaled_by_one(__global const float *in, __global float *out) {
  __local float s[64];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    for (int k = 0; k < 64; ++k)
      s[k] = 2.0f * s[k]; // HIT(mali-midgard): 64 operations compute
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[l];
}

__kernel void sums_of_all(__global const float *in, __global float *out, int w) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 64; ++k)
    sum += in[k * w + i]; // HIT(mali-midgard): 64 operations compute
  out[i] = sum;
}
