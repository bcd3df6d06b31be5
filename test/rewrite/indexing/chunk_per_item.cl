// expect: held
// Each item works on a run of eight neighbours.
#define PER 8
__kernel void chunk_per_item(__global const int *a, __global int *b, int n) {
  int first = get_global_id(0) * PER;
  for (int k = 0; k < PER; k++)
    if (first + k < n)
      b[first + k] = a[first + k] * 5 + 1;
}
