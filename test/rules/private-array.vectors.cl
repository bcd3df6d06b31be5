// RUN: %{python} %{expect} %s
__kernel void by_argument(__global float4 *x, int n) {
  float4 v = x[get_global_id(0)];
  ((float *)&v)[n & 3] = 0.0f; // HIT: the vector 'v' is indexed by
  x[get_global_id(0)] = v;
}
__kernel void by_data(__global const uchar8 *in, __global const int *index, __global uchar *out) {
  uchar8 v = in[get_global_id(0)];
  uchar *bytes = (uchar *)&v;
  out[get_global_id(0)] = bytes[index[get_global_id(0)] & 7]; // HIT: the vector 'v' is indexed by
}
__kernel void by_loop(__global const float4 *in, __global float *out) {
  float4 v = in[get_global_id(0)];
  float s = 0;
  for (int c = 0; c < 4; ++c)
    s += ((float *)&v)[c] * c; // miss: constants, once the loop is unrolled
  out[get_global_id(0)] = s;
}
__kernel void constant_index(__global const float4 *in, __global float *out) {
  float4 v = in[get_global_id(0)];
  out[get_global_id(0)] = ((float *)&v)[2] + v.s1; // miss: a constant
}
