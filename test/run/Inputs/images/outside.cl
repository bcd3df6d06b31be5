const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void scale(__read_only image2d_t src, __write_only image2d_t dst, float f) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(dst, p + (int2)(p.x == 32, 0), f * read_imagef(src, nearest, p - 1).xxxx);
}
