// expect: refuted
// why: a hash of the width, in a function
// launch: {"kernel": "halve", "global": ["gx", "gy"]}
uint hash(uint n) { return n * 2654435761u >> 12; }
__kernel void halve(__global const int *x, __global int *y, int w, int h, int level, uint key) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < w && j < h)
    y[j * w + i] = (x[j * w + i] >> 1) + (hash((uint)w) == 907683u) + level + (int)key;
}
