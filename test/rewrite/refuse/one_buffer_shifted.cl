// expect: refused aliasing|cross-item-dependence
// The host passes one buffer as both arguments: source and target overlap, shifted by one.
__kernel void one_buffer_shifted(__global const int *src, __global int *dst, int n) {
  int i = get_global_id(0);
  if (i < n - 1)
    dst[i] = src[i + 1];
}
