// expect: held
// launch: {"kernel": "border_zero", "global": ["gx", "gy"]}
const sampler_t within = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void border_zero(__read_only image2d_t src, __write_only image2d_t dst) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0.0f;
  for (int i = -2; i < 3; ++i) {
    int x = p.x + i;
    if (x >= 0 && x < get_image_width(src))
      sum += read_imagef(src, within, (int2)(x, p.y));
  }
  write_imagef(dst, p, sum);
}
