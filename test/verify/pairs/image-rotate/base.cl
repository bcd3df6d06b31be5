const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void turn(__read_only image2d_t src, __write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  int h = get_image_height(src);
  if (x < get_image_width(src) && y < h)
    write_imageui(dst, (int2)(h - 1 - y, x), read_imageui(src, edge, (int2)(x, y)));
}
