__kernel void gather(__global const float *table, __global const int *index, __global float *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = table[index[i]];
}
