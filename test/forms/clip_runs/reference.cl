// block: 1
// when: n % 4 == 0
// The whole run is one vector.
__kernel void clip(__global const float *restrict x, __global float *restrict y, float lo, float hi, int n) {
  int i = get_global_id(0);
  vstore4(clamp(vload4(i, x), (float4)(lo), (float4)(hi)) * 2.0f, i, y);
}
