// expect: refuted
// why: a cast instead of vload is fine where it is aligned; the guard is wrong
// launch: {"kernel": "scale_v", "global": ["gx / 16"]}
__kernel void scale_v(__global const char *x, __global char *y, char f, int n) {
  int i = get_global_id(0) * 16;
  if (i < n)
    vstore16(vload16(0, x + i) * f, 0, y + i);
  else
    for (; i < n; ++i)
      y[i] = x[i] * f;
}
