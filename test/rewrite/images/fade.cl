// expect: refused nothing-pays
// A frame is faded to black. One read and one write for each pixel: neighbours share nothing.
__kernel void fade(__read_only image2d_t src, __write_only image2d_t dst, float amount) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int2 pos = (int2)(get_global_id(0), get_global_id(1));
  int2 size = get_image_dim(dst);
  if (pos.x >= size.x || pos.y >= size.y)
    return;
  float4 c = read_imagef(src, nearest, pos);
  write_imagef(dst, pos, (float4)(c.xyz * amount, c.w));
}
