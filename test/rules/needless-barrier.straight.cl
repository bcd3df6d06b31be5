// RUN: %{python} %{expect} %s
// Directly after another barrier: the rest of the kernel does not matter (it uses volatile memory here).

__kernel void reduce(__global float *out, __global const float *in, __local volatile float *sums) {
  int l = get_local_id(0);
  sums[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 1; s /= 2) {
    if (l < s)
      sums[l] += sums[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  barrier(CLK_LOCAL_MEM_FENCE); // HIT: nothing happens between this barrier and the one before
  if (l == 0)
    out[get_group_id(0)] = sums[0] + sums[1];
}

__kernel void reduce_once(__global float *out, __global const float *in, __local volatile float *sums) {
  int l = get_local_id(0);
  sums[l] = in[get_global_id(0)];
  for (int s = get_local_size(0) / 2; s > 1; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      sums[l] += sums[l + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE); // miss: a loop lies between
  if (l == 0)
    out[get_group_id(0)] = sums[0] + sums[1];
}

__kernel void fences_more(__global volatile float *out, __local volatile float *sums) {
  int l = get_local_id(0);
  sums[l] = out[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); // miss: this one fences global memory, too
  out[l] = sums[l ^ 1];
}

__kernel void with_macros(__global float *out, __local volatile float *sums) {
  int l = get_local_id(0);
  sums[l] = out[l];
  barrier(CLK_LOCAL_MEM_FENCE);
#ifdef SCALE
  sums[l] *= SCALE;
#endif
  barrier(CLK_LOCAL_MEM_FENCE); // miss: with the macro defined, code lies between
  out[l] = sums[l ^ 1];
}
