const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void chroma(__read_only image2d_t uv, __write_only image2d_t dst) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 c = read_imagef(uv, edge, p);
  write_imagef(dst, p, (float4)(c.y, c.x, 0.0f, 1.0f));
}
