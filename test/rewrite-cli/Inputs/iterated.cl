__kernel void iterated(__global float *d, __global const float *s, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float x = s[i];
  for (int k = 0; k < 8; ++k)
    x = x * x * x + x * x + x * 0.5f + 0.25f;
  d[i] = x;
}
