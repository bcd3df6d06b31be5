// expect: refuted
// why: columns outside are not zero
// launch: {"kernel": "clamped", "global": ["gx", "gy"]}
const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void clamped(__read_only image2d_t src, __write_only image2d_t dst) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0.0f;
  for (int i = -2; i <= 2; ++i)
    sum += read_imagef(src, s, (int2)(p.x + i, p.y + i));
  write_imagef(dst, p, sum);
}
