// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali --fail-on=error --checks=-*,out-of-bounds-vector-access %s | grep "rows.cl:9:26: note: a row or more further"
// Windows of several rows: what reaches past the end in the first row does so in those below.

__kernel void window(__global const float *in, __global float *out, int w) {
  int i = get_global_id(1) * w + get_global_id(0) * 4;
  float4 a = vload4(0, in + i + 2); // HIT: reaches 8 bytes past the 16
  float4 b = vload4(0, in + i);
  float4 below = a + b + vload4(0, in + i + w + 2);
  vstore4(below, 0, out + i);
}

__kernel void within(__global const float *in, __global float *out, int w) {
  int i = get_global_id(1) * w + get_global_id(0) * 4;
  float4 a = vload4(0, in + i); // miss: no more than its share
  vstore4(a * a, 0, out + i);
}
