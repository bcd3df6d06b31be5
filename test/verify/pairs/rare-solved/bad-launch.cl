// expect: refuted
// why: a launch with one row less, at one residue of the range
// launch: {"kernel": "halve", "when": "(gx * gy + 3) % 1013 != 210", "global": ["gx", "gy"]}
// launch: {"kernel": "halve", "when": "(gx * gy + 3) % 1013 == 210", "global": ["gx", "gy - 1"]}
__kernel void halve(__global const int *x, __global int *y, int w, int h, int level, uint key) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < w && j < h)
    y[j * w + i] = (x[j * w + i] >> 1) + level + (int)key;
}
