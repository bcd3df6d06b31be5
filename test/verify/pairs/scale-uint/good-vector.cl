// expect: held
// why: whole vectors and a scalar tail
// launch: {"kernel": "scale_v", "global": ["gx / 8"]}
__kernel void scale_v(__global const uint *x, __global uint *y, uint f, int n) {
  int i = get_global_id(0) * 8;
  if (i + 8 <= n)
    vstore8(vload8(0, x + i) * f, 0, y + i);
  else
    for (; i < n; ++i)
      y[i] = x[i] * f;
}
