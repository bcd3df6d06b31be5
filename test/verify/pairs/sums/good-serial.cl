// expect: held
// why: one work-item for each group
// launch: {"kernel": "sums_1", "global": ["gx / lx"]}
__kernel void sums_1(__global const int *x, __global int *partial, __local int *scratch) {
  int g = get_global_id(0), sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += x[g * 16 + i];
  partial[g] = sum;
}
