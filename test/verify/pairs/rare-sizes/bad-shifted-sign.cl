// expect: refuted
// why: the sign of a shifted id
// launch: {"kernel": "triple", "global": ["gx"]}
__kernel void triple(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = (int)((uint)i << 17) < 0 ? x[i] : x[i] * 3;
}
