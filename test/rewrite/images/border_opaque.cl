// expect: held device=mali-midgard
// As border_zero, of an image without alpha: outside of it a sampler gives alpha 1, and this kernel 0.
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
__kernel void border_opaque(__read_only image2d_t src, __write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= get_image_width(dst) || y >= get_image_height(dst))
    return;
  float4 sum = 0.0f;
  for (int i = -1; i <= 1; ++i)
    if (x + i >= 0 && x + i < get_image_width(src))
      sum += read_imagef(src, nearest, (int2)(x + i, y));
  write_imagef(dst, (int2)(x, y), sum);
}
