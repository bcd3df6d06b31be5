// expect: refuted
// why: reads past the end above 2,500 elements
// launch: {"kernel": "triple", "global": ["gx"]}
__kernel void triple(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * 3 + (n > 2500 ? (x[i + 40] & 1u) : 0u);
}
