// expect: held
// launch: {"kernel": "resize_hand", "global": ["gx", "gy"]}
const sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
__kernel void resize_hand(__read_only image2d_t src, __write_only image2d_t dst, float scale) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 at = (convert_float2(p) + 0.5f) * scale;
  write_imagef(dst, p, read_imagef(src, linear, at));
}
