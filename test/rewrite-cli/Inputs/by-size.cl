__kernel void box(__global const float *restrict in, __global float *restrict out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) {
    float s = 0;
    for (int j = 0; j < 5; ++j)
      for (int i = 0; i < 5; ++i)
        s += in[(y + j) * (w + 4) + x + i];
    out[y * w + x] = s;
  }
}
