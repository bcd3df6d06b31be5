// expect: held
// launch: {"kernel": "border_zero", "global": ["gx", "gy"]}
const sampler_t zero = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void border_zero(__read_only image2d_t src, __write_only image2d_t dst) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0.0f;
  for (int i = -2; i <= 2; ++i)
    sum += read_imagef(src, zero, (int2)(p.x + i, p.y));
  write_imagef(dst, p, sum);
}
