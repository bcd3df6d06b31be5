// RUN: %{python} %{expect} %s
__kernel void planes(__global const uchar *in, __global uchar *out, int plane) {
  int i = get_global_id(0);
  uchar4 v = (uchar4)(in[i], in[i + plane], in[i + 2 * plane], 255); // miss: planes become pixels
  vstore4(v, i, out);
}

__kernel void one_plane(__global const uchar *in, __global uchar *out, int plane) {
  int i = get_global_id(0);
  uchar4 v = (uchar4)(in[i], in[i], in[i], 255); // HIT: 'in' is read one uchar at a time
  vstore4(v, i, out);
}
