// expect: refuted
// why: one column is written outside where the height is odd
// launch: {"kernel": "turn_2", "global": ["gx", "(gy + 1) / 2"]}
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void turn_2(__read_only image2d_t src, __write_only image2d_t dst) {
  int x = get_global_id(0), y = 2 * get_global_id(1);
  int h = get_image_height(src);
  if (x >= get_image_width(src) || y >= h)
    return;
  write_imageui(dst, (int2)(h - 1 - y, x), read_imageui(src, edge, (int2)(x, y)));
  write_imageui(dst, (int2)(h - 2 - y, x), read_imageui(src, edge, (int2)(x, y + 1)));
}
