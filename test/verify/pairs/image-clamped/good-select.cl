// expect: held
// launch: {"kernel": "clamped", "global": ["gx", "gy"]}
const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void clamped(__read_only image2d_t src, __write_only image2d_t dst) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0.0f;
  for (int i = -2; i <= 2; ++i)
    sum += read_imagef(src, s, (int2)(p.x + i < 0 ? 0 : min(p.x + i, get_image_width(src) - 1), p.y + i));
  write_imagef(dst, p, sum);
}
