// expect: inconclusive
// why: another device need not divide as this one does
// launch: {"kernel": "positive_v4", "global": ["gx / 4"]}
__kernel void positive_v4(__global const float *x, __global float *y) {
  int i = get_global_id(0);
  float4 v = vload4(i, x);
  vstore4(v > 0.0f ? native_divide(v, (float4)(3.0f)) : (float4)(0.0f), i, y);
}
