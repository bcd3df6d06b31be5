// expect: held
// launch: {"kernel": "rowblur_direct", "global": ["width(dst)", "gy"]}
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define R 4
__kernel void rowblur_direct(__read_only image2d_t src, __write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0.0f;
  for (int i = -R; i <= R; ++i)
    sum += read_imagef(src, edge, (int2)(x + i, y));
  write_imagef(dst, (int2)(x, y), sum / (2 * R + 1));
}
