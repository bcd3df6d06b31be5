// RUN: %{python} %{expect} %s
__kernel void nothing_shared(__global const float4 *in, __global float4 *out) {
  float4 v = in[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE); // HIT: can conflict
  out[get_global_id(0)] = v;
}

__kernel void shared(__global const float *in, __global float *out) {
  __local float part[64];
  part[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE); // miss: local memory is shared
  out[get_global_id(0)] = part[63 - get_local_id(0)];
}

__kernel void through_global(__global float *data, __global float *out) {
  data[get_global_id(0)] = 1.0f;
  barrier(CLK_GLOBAL_MEM_FENCE); // miss: the buffer is read afterwards
  out[get_global_id(0)] = data[get_global_id(0) ^ 1];
}

// The idiom that keeps work-items on the same cache lines.
__kernel void blocked(__global const float4 *a, __global float4 *out, int n) {
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < n; ++k) {
    sum += a[k];
    barrier(CLK_GLOBAL_MEM_FENCE); // miss: in a loop, on purpose
  }
  out[get_global_id(0)] = sum;
}
