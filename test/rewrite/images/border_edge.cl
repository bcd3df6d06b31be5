// expect: held passes=use-address-mode,coarsen device=powervr-rogue
// A window whose coordinates are kept inside by hand.
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
__kernel void border_edge(__read_only image2d_t src, __write_only image2d_t dst) {
  int2 at = (int2)(get_global_id(0), get_global_id(1)), last = get_image_dim(src) - 1;
  if (any(at > last))
    return;
  float4 sum = 0.0f;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      sum += read_imagef(src, nearest, clamp(at + (int2)(i, j), (int2)(0), last));
  write_imagef(dst, at, sum / 9.0f);
}
