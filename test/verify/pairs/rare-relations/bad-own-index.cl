// expect: refuted
// why: a value that is its own index
// launch: {"kernel": "blend", "global": ["gx"]}
__kernel void blend(__global const int *x, __global const int *w, __global int *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] * 3 + w[i] - (x[i] == i && i > 40);
}
