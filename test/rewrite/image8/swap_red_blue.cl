// expect: held passes=vectorize
// Four-channel BGRA to RGBA, each pixel by one work-item of a flat launch.
__kernel void swap_red_blue(__global const uchar *in, __global uchar *out, uint pixels) {
  uint i = get_global_id(0);
  if (i < pixels) {
    uchar b = in[4 * i];
    uchar g = in[4 * i + 1];
    uchar r = in[4 * i + 2];
    uchar a = in[4 * i + 3];
    out[4 * i] = r;
    out[4 * i + 1] = g;
    out[4 * i + 2] = b;
    out[4 * i + 3] = a;
  }
}
