// Brightens a grey picture; dimension 0 is the row, so the rewrite swaps dimensions.
__kernel void rows(__global uchar *out, __global const uchar *in, int width, int height, int by) {
  int y = get_global_id(0), x = get_global_id(1);
  if (x >= width || y >= height)
    return;
  int v = in[y * width + x] + by;
  out[y * width + x] = (uchar)(v > 255 ? 255 : v < 0 ? 0 : v);
}
