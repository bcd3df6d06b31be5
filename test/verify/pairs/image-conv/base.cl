const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void conv_n(__read_only image2d_t src, __write_only image2d_t dst, __constant float *c, int n) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0.0f;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      sum += c[j * n + i] * read_imagef(src, edge, p + (int2)(i - n / 2, j - n / 2));
  write_imagef(dst, p, sum);
}
