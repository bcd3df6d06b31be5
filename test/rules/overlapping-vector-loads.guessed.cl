// RUN: %{python} %{expect} %s
// PIXEL is the host's: bytes of which sixteen follow one another, or floats.
__kernel void steps(__global const uchar *in, __global float *out) {
  int i = get_global_id(0);
  float4 a = convert_float4(vload4(0, (__global const PIXEL *)(in + 8 * i))); // miss: how wide it is was guessed
  float4 b = convert_float4(vload4(0, (__global const PIXEL *)(in + 8 * i + 4)));
  float4 c = convert_float4(vload4(0, (__global const PIXEL *)(in + 8 * i + 8)));
  vstore4(a + b + c, i, out);
}

__kernel void floats(__global const uchar *in, __global float *out) {
  int i = get_global_id(0);
  float4 a = vload4(0, (__global const float *)(in + 8 * i)); // HIT: 3 vector loads of 'in' overlap
  float4 b = vload4(0, (__global const float *)(in + 8 * i + 4));
  float4 c = vload4(0, (__global const float *)(in + 8 * i + 8));
  vstore4(a + b + c, i, out);
}
