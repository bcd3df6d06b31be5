__kernel void depthwise(__global const float *in, __global const float *weights, __global float *out, int channels,
                        int w) {
  const int c = get_global_id(0), x = get_global_id(1), y = get_global_id(2);
  float sum = 0.0f;
  __global const float *k = weights + c;
  for (int j = 0; j < 3; ++j) {
    __global const float *p = in + ((y + j) * (w + 2) + x) * channels + c;
    for (int i = 0; i < 3; ++i) {
      sum += *p * *k;
      p += channels;
      k += channels;
    }
  }
  out[(y * w + x) * channels + c] = sum;
}
