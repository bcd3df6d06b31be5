static int above(int v, int level) { return v > level; }

__kernel void threshold(__global const uchar *in, __global uchar *out, const int n, const int level) {
  const int i = get_global_id(0);
  if (!(i < n))
    return;
  int bright = above(in[i], level);
  uchar result = 0;
  if (bright)
    result = 0xff;
  out[i] = result;
}
