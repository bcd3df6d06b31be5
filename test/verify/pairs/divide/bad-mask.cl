// expect: refuted
// why: the remainder of a negative number as a mask
// launch: {"kernel": "divide_m", "global": ["gx"]}
int seventh(int x) {
  int h = mul_hi(x, (int)0x92492493) + x;
  return (h >> 2) - (x >> 31);
}
__kernel void divide_m(__global const int *x, __global int *q, __global int *r) {
  int i = get_global_id(0);
  int v = x[i];
  q[i] = seventh(v);
  int low = (int)((uint)v & 7u);
  r[i] = low;
}
