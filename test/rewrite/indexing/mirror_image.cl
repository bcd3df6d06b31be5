// expect: held
// Mirrors each row: reads run backwards.
__kernel void mirror_image(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < w && y < h)
    out[y * w + x] = in[y * w + (w - 1 - x)];
}
