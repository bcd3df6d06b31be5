// expect: held
// why: whole vectors and a scalar tail
// launch: {"kernel": "scale_v", "global": ["gx / 4"]}
__kernel void scale_v(__global const ulong *x, __global ulong *y, ulong f, int n) {
  int i = get_global_id(0) * 4;
  if (i + 4 <= n)
    vstore4(vload4(0, x + i) * f, 0, y + i);
  else
    for (; i < n; ++i)
      y[i] = x[i] * f;
}
