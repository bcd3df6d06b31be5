// expect: refuted
// why: one work-item fewer for some rounded sizes; only the last size that is rounded to one has elements there
// launch: {"kernel": "triple_v4", "global": ["max((gx + 3) / 4 - (gx % 251 == 9), 1)"]}
__kernel void triple_v4(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 < n)
    vstore4(vload4(0, x + i) * 3, 0, y + i);
  else
    for (; i < n; ++i)
      y[i] = x[i] * 3;
}
