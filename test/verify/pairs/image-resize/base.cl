const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void resize_hand(__read_only image2d_t src, __write_only image2d_t dst, float scale) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float2 at = (convert_float2(p) + 0.5f) * scale - 0.5f;
  float2 low = floor(at), f = at - low;
  int2 q = convert_int2(low);
  float4 a = read_imagef(src, edge, q), b = read_imagef(src, edge, q + (int2)(1, 0));
  float4 c = read_imagef(src, edge, q + (int2)(0, 1)), d = read_imagef(src, edge, q + (int2)(1, 1));
  write_imagef(dst, p, mix(mix(a, b, f.x), mix(c, d, f.x), f.y));
}
