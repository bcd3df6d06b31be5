// block: 4x2x1
// Four channels of two pixels: 12 input vectors and 9 weights for two outputs.
__kernel void depthwise(__global const float *restrict in, __global const float *restrict weights,
                        __global float *restrict out, int channels, int w) {
  int c = 4 * get_global_id(0), x = 2 * get_global_id(1), y = get_global_id(2);
  float4 s = 0.0f, t = 0.0f;
  for (int j = 0; j < 3; ++j) {
    __global const float *p = in + ((y + j) * (w + 2) + x) * channels + c;
    __global const float *k = weights + 3 * j * channels + c;
    float4 a = vload4(0, p), b = vload4(0, p + channels), d = vload4(0, p + 2 * channels), e = vload4(0, p + 3 * channels);
    float4 k0 = vload4(0, k), k1 = vload4(0, k + channels), k2 = vload4(0, k + 2 * channels);
    s = s + a * k0; s = s + b * k1; s = s + d * k2;
    t = t + b * k0; t = t + d * k1; t = t + e * k2;
  }
  vstore4(s, 0, out + (y * w + x) * channels + c);
  vstore4(t, 0, out + (y * w + x + 1) * channels + c);
}
