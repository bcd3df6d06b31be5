// expect: held passes=vectorize
// Coordinates as one int2, compared as a whole; colours computed as float4.
__kernel void sepia_by_pairs(__global const uchar4 *src, __global uchar4 *dst, int2 size) {
  int2 pos = (int2)(get_global_id(0), get_global_id(1));
  if (any(pos >= size))
    return;
  float4 p = convert_float4(src[pos.y * size.x + pos.x]);
  float r = 0.393f * p.x + 0.769f * p.y + 0.189f * p.z;
  float g = 0.349f * p.x + 0.686f * p.y + 0.168f * p.z;
  float b = 0.272f * p.x + 0.534f * p.y + 0.131f * p.z;
  dst[pos.y * size.x + pos.x] = convert_uchar4_sat_rte((float4)(r, g, b, p.w));
}
