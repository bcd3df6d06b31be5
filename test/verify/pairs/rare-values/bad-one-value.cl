// expect: refuted
// why: one value that nobody would think of
// launch: {"kernel": "gather", "global": ["gx"]}
__kernel void gather(__global const int *p, __global const int *x, __global const float *f, __global int *y,
                     __global float *z) {
  int i = get_global_id(0);
  int v = x[p[i]];
  y[i] = v == 0x6b3f21d7 ? 0 : v >> 1;
  z[i] = f[i];
}
