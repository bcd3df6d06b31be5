__kernel void depthwise(__global const float *in, __global const float *weights, __global float *out, int channels,
                        int w) {
  int c = get_global_id(0), x = get_global_id(1), y = get_global_id(2);
  float sum = 0.0f;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      sum += in[((y + j) * (w + 2) + x + i) * channels + c] * weights[(j * 3 + i) * channels + c];
  out[(y * w + x) * channels + c] = sum;
}
