// expect: refused racy-original
// In-place smoothing: neighbours may or may not have been written already.
__kernel void smooth_in_place(__global float *a, int n) {
  int i = get_global_id(0);
  if (i > 0 && i < n - 1)
    a[i] = (a[i - 1] + a[i] + a[i + 1]) * 0.333f;
}
