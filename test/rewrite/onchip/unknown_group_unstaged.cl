// expect: refused group-geometry device=powervr-rogue run=localize
// Near miss: the launch leaves the local size to the runtime.
__kernel void unknown_group_unstaged(__global const float *src, __global float *dst, int n) {
  int i = get_global_id(0);
  if (i >= 1 && i < n - 1)
    dst[i] = src[i - 1] + src[i] + src[i + 1];
}
