// expect: held
// launch: {"kernel": "depthwise", "global": ["gx", "gy"]}
const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void depthwise(__read_only image2d_t src, __read_only image2d_t weights, __write_only image2d_t dst, int w) {
  int bx = get_global_id(0), y = get_global_id(1), block = bx / w, x = bx - block * w;
  float4 sum = 0.0f;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      int q = x + i - 1 < 0 || x + i - 1 >= w ? -1 : block * w + x + i - 1;
      sum = mad(read_imagef(src, s, (int2)(q, y + j - 1)), read_imagef(weights, s, (int2)(j * 3 + i, block)), sum);
    }
  write_imagef(dst, (int2)(bx, y), sum);
}
