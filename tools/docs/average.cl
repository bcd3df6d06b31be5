__kernel void average(__global const uchar *a, __global const uchar *b,
                      __global uchar *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = (a[i] + b[i] + 1) / 2;
}
