// expect: held
// launch: {"kernel": "box3_2", "global": ["(gx + 1) / 2", "gy"]}
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void box3_2(__read_only image2d_t src, __write_only image2d_t dst) {
  int x = 2 * get_global_id(0), y = get_global_id(1);
  float4 a = 0.0f, b = 0.0f;
  for (int j = -1; j <= 1; ++j) {
    float4 v0 = read_imagef(src, edge, (int2)(x - 1, y + j)), v1 = read_imagef(src, edge, (int2)(x, y + j));
    float4 v2 = read_imagef(src, edge, (int2)(x + 1, y + j)), v3 = read_imagef(src, edge, (int2)(x + 2, y + j));
    a += v0; a += v1; a += v2; b += v1; b += v2; b += v3;
  }
  write_imagef(dst, (int2)(x, y), a / 9.0f);
  if (x + 1 < get_image_width(dst))
    write_imagef(dst, (int2)(x + 1, y), b / 9.0f);
}
