#ifndef BLOCK
#error the recorded macros are missing
#endif
__kernel void scale(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] * BLOCK;
}
__kernel void sums(__global const float *in, __global float *out, __local float *part) {
  int l = get_local_id(0);
  part[l * 32 % 1024] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    out[get_group_id(0)] = part[0];
}
__kernel void fill(__global float *out, float f) { out[get_global_id(0)] = f; }
#if MODE == 1
__kernel void other_mode(__global float *out) { out[get_global_id(0)] = SHIFT / 3; }
#endif
