// expect: refuted
// why: ids in 16 bits
// launch: {"kernel": "triple", "global": ["gx"]}
__kernel void triple(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[(ushort)i] * 3;
}
