// expect: held passes=vectorize
// Mean of each column, walked by one item; neighbours are contiguous.
__kernel void column_means(__global float *mean, __global const float *data, float float_n, int m, int n) {
  int j = get_global_id(0);
  if (j < m) {
    mean[j] = 0.0f;
    for (int i = 0; i < n; i++)
      mean[j] += data[i * m + j];
    mean[j] /= float_n;
  }
}
