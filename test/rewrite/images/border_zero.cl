// expect: held passes=use-address-mode device=mali-midgard
// Differences of neighbours: what lies outside is zero, alpha included.
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
float4 texel(__read_only image2d_t src, int x, int y) {
  if (x < 0 || y < 0 || x >= get_image_width(src) || y >= get_image_height(src))
    return (float4)(0.0f);
  return read_imagef(src, nearest, (int2)(x, y));
}
__kernel void border_zero(__read_only image2d_t src, __write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= get_image_width(dst) || y >= get_image_height(dst))
    return;
  float4 dx = texel(src, x + 1, y) - texel(src, x - 1, y);
  float4 dy = texel(src, x, y + 1) - texel(src, x, y - 1);
  write_imagef(dst, (int2)(x, y), dx * dx + dy * dy);
}
