// expect: not-held
// why: the first element of a block is taken modulo 2^20
// launch: {"kernel": "triple_v4", "global": ["(gx + 3) / 4"]}
__kernel void triple_v4(__global const uint *x, __global uint *y, int n) {
  int i = get_global_id(0) * 4 & 0xfffff;
  if (i + 3 < n)
    vstore4(vload4(0, x + i) * 3, 0, y + i);
  else
    for (; i < n; ++i)
      y[i] = x[i] * 3;
}
