// expect: held passes=vectorize
// A branch on a varying value that is only a choice between three results.
__kernel void soft_threshold(__global const float *src, __global float *dst, float t, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float v = src[i];
    float r;
    if (v > t) {
      r = v - t;
    } else if (v < -t) {
      r = v + t;
    } else {
      r = 0.0f;
    }
    dst[i] = r;
  }
}
