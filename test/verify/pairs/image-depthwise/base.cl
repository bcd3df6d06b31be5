#define RD(x, y) (((x) < 0 || (x) >= w || (y) < 0 || (y) >= h) ? (float4)(0.0f) : read_imagef(src, s, (int2)(block * w + (x), (y))))
const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void depthwise(__read_only image2d_t src, __read_only image2d_t weights, __write_only image2d_t dst, int w) {
  int bx = get_global_id(0), y = get_global_id(1), block = bx / w, x = bx % w, h = get_image_height(src);
  float4 sum = 0.0f;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i)
      sum = mad(RD(x + i - 1, y + j - 1), read_imagef(weights, s, (int2)(j * 3 + i, block)), sum);
  write_imagef(dst, (int2)(bx, y), sum);
}
