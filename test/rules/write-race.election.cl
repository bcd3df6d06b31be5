// RUN: %{python} %{expect} %s
// A counter elects the last work-group.
__kernel void stats(__global const float *in, __global uint *state, __global float *out) {
  __local uint sum;
  int l = get_local_id(0);
  if (l == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&sum, (uint)(in[get_global_id(0)] * 100.0f));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) atomic_add(&state[1], sum);
  out[get_global_id(0)] = in[get_global_id(0)] / (1 + state[2]);
  if (l == 0 && atomic_add(&state[0], 1) == get_num_groups(0) - 1) {
    state[0] = 0; // miss: one work-item gets here
    state[2] = state[1]; // HIT: that work-items of other groups may not have read yet
    state[1] = 0; // miss: others only add to it
  }
}
__kernel void no_fence(__global const float *in, __global float *part, __global uint *count,
                       __global float *out) {
  __local int last;
  int l = get_local_id(0);
  if (l == 0) {
    part[get_group_id(0)] = in[get_global_id(0)]; // HIT: no fence stands between it and the counter
    last = atomic_inc(count) == get_num_groups(0) - 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (last && l == 0) {
    float s = 0;
    for (int k = 0; k < get_num_groups(0); ++k)
      s += part[k];
    out[0] = s;
  }
}
__kernel void after(__global const float *in, __global float *scale, volatile __global int *done, int groups) {
  if (get_local_id(0) == 0) {
    int ticket = atomic_inc(done);
    if (ticket == groups - 1)
      scale[1] = 2.0f; // HIT: that work-items of other groups may not have read yet
  }
  scale[get_global_id(0) + 2] = in[get_global_id(0)] * scale[1];
}

__kernel void fenced(__global const float *in, __global float *part, __global uint *count,
                     __global float *out) {
  __local int last;
  int l = get_local_id(0);
  if (l == 0) {
    part[get_group_id(0)] = in[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    last = atomic_inc(count) == get_num_groups(0) - 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (last && l == 0) {
    float s = 0;
    for (int k = 0; k < get_num_groups(0); ++k)
      s += part[k]; // miss: a fence before the counter
    out[0] = s; // miss: nobody else has it
    *count = 0; // miss: the counter is done
  }
}
__kernel void read_before(__global const float *in, __global float *state, __global int *count,
                          __global float *out) {
  out[get_global_id(0)] = in[get_global_id(0)] * state[0];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0 && atomic_inc(count) == get_num_groups(0) - 1)
    state[0] = 0.5f; // miss: all have read before they count
}
