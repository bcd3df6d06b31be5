// expect: held passes=vectorize
// Two directional 3x3 derivatives of a grey image, |gx| + |gy| cut at 255, border copied.
__kernel void edge_magnitude(__global uchar *edges, __global const uchar *grey, uint w, uint h) {
  uint x = get_global_id(0);
  uint y = get_global_id(1);
  uint c = x + y * w;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
    edges[c] = grey[c];
    return;
  }
  int i00 = grey[c - 1 - w], i10 = grey[c - w], i20 = grey[c + 1 - w];
  int i01 = grey[c - 1], i21 = grey[c + 1];
  int i02 = grey[c - 1 + w], i12 = grey[c + w], i22 = grey[c + 1 + w];
  int gx = i00 + 2 * i01 + i02 - i20 - 2 * i21 - i22;
  int gy = i00 + 2 * i10 + i20 - i02 - 2 * i12 - i22;
  int m = abs(gx) + abs(gy);
  edges[c] = m > 255 ? 255 : m;
}
