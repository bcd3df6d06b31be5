// expect: held passes=use-address-mode,coarsen device=mali-bifrost
// Texels outside the image are left out of the sum, by a condition.
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
__kernel void border_if(__read_only image2d_t src, __write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  int w = get_image_width(src), h = get_image_height(src);
  if (x >= w || y >= h)
    return;
  float4 sum = 0.0f;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) {
      int xx = x + i, yy = y + j;
      if (xx >= 0 && xx < w && yy >= 0 && yy < h)
        sum += read_imagef(src, nearest, (int2)(xx, yy));
    }
  write_imagef(dst, (int2)(x, y), sum);
}
