// expect: refused index-overflow|cross-item-dependence
// Row times pitch is done in 16 bits and wraps for larger images.
__kernel void short_pitch_product(__global const uchar *in, __global uchar *out, short pitch) {
  short x = get_global_id(0);
  short y = get_global_id(1);
  ushort at = (ushort)(y * pitch + x);
  out[at] = in[at] ^ 255;
}
