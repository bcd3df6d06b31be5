// expect: held
// why: whole vectors and a scalar tail
// launch: {"kernel": "scale_v", "global": ["gx / 16"]}
__kernel void scale_v(__global const char *x, __global char *y, char f, int n) {
  int i = get_global_id(0) * 16;
  if (i + 16 <= n)
    vstore16(vload16(0, x + i) * f, 0, y + i);
  else
    for (; i < n; ++i)
      y[i] = x[i] * f;
}
