// expect: held passes=coarsen device=mali-bifrost
// The mean of a column of seven texels: rows share them.
__constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void colmean(__read_only image2d_t src, __write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 a = 0.0f;
  for (int i = -3; i <= 3; i++) a += read_imagef(src, edge, (int2)(x, y + i));
  write_imagef(dst, (int2)(x, y), a / 7.0f);
}
