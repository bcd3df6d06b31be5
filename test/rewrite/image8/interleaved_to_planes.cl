// expect: held
// Interleaved RGB to three planes.
__kernel void interleaved_to_planes(__global const uchar *src, __global uchar *r, __global uchar *g, __global uchar *b, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  r[i] = src[i * 3];
  g[i] = src[i * 3 + 1];
  b[i] = src[i * 3 + 2];
}
