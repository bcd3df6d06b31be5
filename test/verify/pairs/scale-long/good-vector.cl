// expect: held
// why: whole vectors and a scalar tail
// launch: {"kernel": "scale_v", "global": ["gx / 2"]}
__kernel void scale_v(__global const long *x, __global long *y, long f, int n) {
  int i = get_global_id(0) * 2;
  if (i + 2 <= n)
    vstore2(vload2(0, x + i) * f, 0, y + i);
  else
    for (; i < n; ++i)
      y[i] = x[i] * f;
}
