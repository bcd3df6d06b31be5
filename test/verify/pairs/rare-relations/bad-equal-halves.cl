// expect: refuted
// why: the upper half of the bits is the lower one
// launch: {"kernel": "blend", "global": ["gx"]}
__kernel void blend(__global const int *x, __global const int *w, __global int *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * 3 + w[i] + ((uint)x[i] >> 16 == ((uint)x[i] & 65535u) && x[i] != 0 && x[i] != -1);
}
