// expect: held passes=vectorize
// Length of the central-difference gradient.
__kernel void gradient_length(__global const float *f, __global float *g, int w, int h, float inv2h) {
  size_t x = get_global_id(0);
  size_t y = get_global_id(1);
  if (x < 1 || x > w - 2 || y < 1 || y > h - 2)
    return;
  float dx = (f[y * w + x + 1] - f[y * w + x - 1]) * inv2h;
  float dy = (f[(y + 1) * w + x] - f[(y - 1) * w + x]) * inv2h;
  g[y * w + x] = sqrt(dx * dx + dy * dy);
}
