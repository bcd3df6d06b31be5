// expect: held passes=vectorize
// Pixels as uchar4 to one grey byte each.
__kernel void luminance_uchar4(__global const uchar4 *src, __global uchar *dst, uint n) {
  uint i = get_global_id(0);
  if (i < n) {
    uchar4 p = src[i];
    float l = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
    dst[i] = (uchar)l;
  }
}
