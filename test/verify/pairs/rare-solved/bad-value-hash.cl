// expect: refuted
// why: a hash of a value
// launch: {"kernel": "halve", "global": ["gx", "gy"]}
__kernel void halve(__global const int *x, __global int *y, int w, int h, int level, uint key) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < w && j < h)
    y[j * w + i] = (x[j * w + i] >> 1) + level + (int)key + ((uint)x[j * w + i] * 2654435761u >> 12 == 634591u);
}
