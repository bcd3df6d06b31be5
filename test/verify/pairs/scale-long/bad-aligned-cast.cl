// expect: refuted
// why: a cast instead of vload is fine where it is aligned; the guard is wrong
// launch: {"kernel": "scale_v", "global": ["gx / 2"]}
__kernel void scale_v(__global const long *x, __global long *y, long f, int n) {
  int i = get_global_id(0) * 2;
  if (i < n)
    vstore2(vload2(0, x + i) * f, 0, y + i);
  else
    for (; i < n; ++i)
      y[i] = x[i] * f;
}
