// expect: refuted
// why: a product of a loaded value
// launch: {"kernel": "fold", "global": ["gx", "gy"]}
__kernel void fold(__global const float *x, __global const int *t, __global float *y, float gain, int w, int h, int k) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i >= w || j >= h)
    return;
  float s = 0.0f;
  for (int c = 0; c < k; ++c)
    s += x[j * w + i] * gain + (float)c;
  y[j * w + i] = s + (float)(t[i] & 255) + (float)(x[j * w + i] * 3.0f == 7.5f);
}
