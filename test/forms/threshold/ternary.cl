__kernel void threshold(__global const uchar *in, __global uchar *out, int n, int level) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = in[i] > level ? 255 : 0;
}
