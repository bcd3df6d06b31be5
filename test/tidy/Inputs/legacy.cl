// The host defines DATA_TYPE.
__kernel void add(__global const DATA_TYPE *a, __global DATA_TYPE *b, int n) {
  int i = get_global_id(0);
  b[i] = a[i] + a[i / n];
}
