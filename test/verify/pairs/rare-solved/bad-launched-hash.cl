// expect: not-held
// why: a hash of the number of blocks
// launch: {"kernel": "halve_r8", "global": ["gx", "(gy + 7) / 8"]}
__kernel void halve(__global const int *x, __global int *y, int w, int h, int level, uint key) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < w && j < h)
    y[j * w + i] = (x[j * w + i] >> 1) + level + (int)key;
}

__kernel void halve_r8(__global const int *x, __global int *y, int w, int h, int level, uint key) {
  int i = get_global_id(0), k = get_global_id(1) * 8;
  if (i < w)
    for (int j = k; j < min(k + 8, h); ++j)
      y[j * w + i] = (x[j * w + i] >> 1) + level + (int)key + ((uint)get_global_size(1) * 2654435761u >> 12 == 685705u);
}
