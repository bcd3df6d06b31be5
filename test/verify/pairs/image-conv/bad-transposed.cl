// expect: refuted
// why: the second pixel has the coefficients by columns
// launch: {"kernel": "conv_2", "global": ["(gx + 1) / 2", "gy"]}
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void conv_2(__read_only image2d_t src, __write_only image2d_t dst, __constant float *c, int n) {
  int2 p = (int2)(2 * get_global_id(0), get_global_id(1));
  float4 a = 0.0f, b = 0.0f;
  for (int j = 0; j < n; ++j) {
    float4 v = read_imagef(src, edge, p + (int2)(-(n / 2), j - n / 2));
    for (int i = 0; i < n; ++i) {
      float4 w = read_imagef(src, edge, p + (int2)(i + 1 - n / 2, j - n / 2));
      a += c[j * n + i] * v;
      b += c[i * n + j] * w;
      v = w;
    }
  }
  write_imagef(dst, p, a);
  if (p.x + 1 < get_image_width(dst))
    write_imagef(dst, p + (int2)(1, 0), b);
}
