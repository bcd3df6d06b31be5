// expect: refuted
// why: a sampler without an address mode reads outside
// launch: {"kernel": "box3", "global": ["gx", "gy"]}
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
__kernel void box3(__read_only image2d_t src, __write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 sum = 0.0f;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i)
      sum += read_imagef(src, edge, (int2)(x + i, y + j));
  write_imagef(dst, (int2)(x, y), sum / 9.0f);
}
