// expect: held passes=coarsen device=mali-bifrost
// The mean of a 3 x 3 window, summed row by row.
__kernel void box3(__read_only image2d_t src, __write_only image2d_t dst) {
  const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= get_image_width(dst) || y >= get_image_height(dst))
    return;
  float4 sum = (float4)(0.0f);
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      sum += read_imagef(src, edge, (int2)(x + i, y + j));
  write_imagef(dst, (int2)(x, y), sum * (1.0f / 9.0f));
}
