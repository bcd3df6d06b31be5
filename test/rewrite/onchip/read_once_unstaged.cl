// expect: refused nothing-pays device=powervr-rogue run=localize
// Near miss: each element is read once.
__kernel void read_once_unstaged(__global const float *src, __global float *dst, int n) {
  int i = get_global_id(0);
  if (i < n)
    dst[i] = src[i] * 2.0f;
}
