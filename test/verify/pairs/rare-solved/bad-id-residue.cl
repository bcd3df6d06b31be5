// expect: refuted
// why: a residue of a row, together with one of the column
// launch: {"kernel": "halve", "global": ["gx", "gy"]}
__kernel void halve(__global const int *x, __global int *y, int w, int h, int level, uint key) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < w && j < h)
    y[j * w + i] = (x[j * w + i] >> 1) + level + (int)key + (j % 509 == 408 && i % 5 == 2);
}
