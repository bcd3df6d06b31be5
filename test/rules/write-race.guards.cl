// RUN: %{python} %{expect} %s
// Eight elements for each work-item, and fewer than eight in all: only the first is here.
__kernel void rest(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0) << 3;
  if (i > n)
    return;
  if (n < 8)
    for (int k = 0; k < n; ++k)
      out[k] = in[k]; // miss: 8 * id <= n, and n < 8
  else
    vstore8(vload8(0, in + i), 0, out + i);
}

__kernel void several(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0) << 3;
  if (i > n)
    return;
  if (n < 9)
    for (int k = 0; k < n; ++k)
      out[k] = in[k]; // HIT: write one element of 'out'
  else
    vstore8(vload8(0, in + i), 0, out + i);
}

// Rows of bytes: how long they are is the host's, in bytes as well.
__kernel void tensor(__global uchar *p, uint first, uint pitch, int n) {
  int x = max((int)get_global_id(0) * 4, 0), y = get_global_id(1);
  __global uchar *at = p + first + x * sizeof(int) + y * pitch;
  vstore4(vload4(0, (__global int *)at) + n, 0, (__global int *)at); // miss: rows do not overlap
}
