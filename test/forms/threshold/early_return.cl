__kernel void threshold(__global const uchar *restrict in, __global uchar *restrict out, int n, int level) {
  size_t i = get_global_id(0);
  if (i >= (size_t)n)
    return;
  uchar v = in[i];
  if (v <= level)
    out[i] = 0;
  else
    out[i] = 255;
}
