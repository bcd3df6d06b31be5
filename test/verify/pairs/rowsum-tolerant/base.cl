__kernel void rowsum(__global const float *a, __global float *out, int w) {
  int y = get_global_id(0);
  float sum = 0.0f;
  for (int x = 0; x < w; ++x)
    sum += a[y * w + x] * a[y * w + x];
  out[y] = sum;
}
