const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void fade(__read_only image2d_t a, __write_only image2d_t dst, float t) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  int2 n = get_image_dim(dst);
  if (p.x >= n.x || p.y >= n.y)
    return;
  write_imagef(dst, p, read_imagef(a, nearest, p) * t);
}
