// expect: held
// why: the tail of each block
// launch: {"kernel": "masked_v4", "global": ["(gx + 3) / 4"]}
__kernel void masked(__global const uint *x, __global uint *y, uint mask, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    y[i] = (x[i] & mask) + 3u;
}

__kernel void masked_v4(__global const uint *x, __global uint *y, uint mask, uint n) {
  uint i = get_global_id(0) * 4;
  if (i + 3 < n)
    vstore4((vload4(0, x + i) & mask) + 3u, 0, y + i);
  else
    for (; i < n; ++i)
      y[i] = (x[i] & mask) + 3u;
}
