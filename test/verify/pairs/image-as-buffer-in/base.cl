const sampler_t zero = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void before(__read_only image2d_t src, __global uint4 *dst, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  dst[y * w + x] = read_imageui(src, zero, (int2)(x, y)) + read_imageui(src, zero, (int2)(x - 1, y));
}
