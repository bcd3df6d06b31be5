// expect: refuted
// why: values that leave 77 modulo 1,009 beside ones that leave 3
// launch: {"kernel": "blend", "global": ["gx"]}
__kernel void blend(__global const int *x, __global const int *w, __global int *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * 3 + w[i] + ((uint)x[i] % 1009u == 77u && (uint)w[i] % 11u == 3u);
}
