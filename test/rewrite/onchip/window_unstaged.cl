// expect: held passes=localize,pin-work-group-size device=powervr-rogue run=localize
// Seven neighbours, not staged: groups inside the data copy 70 elements, others read as before.
__kernel void window_unstaged(__global const float *src, __global float *dst, int n) {
  int i = get_global_id(0);
  if (i >= 3 && i < n - 3) {
    float s = 0.0f;
    for (int k = -3; k <= 3; k++)
      s += src[i + k];
    dst[i] = s / 7.0f;
  }
}
