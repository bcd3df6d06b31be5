// expect: held passes=vectorize
// Columns made orthogonal to one before them: read in one loop over the rows, changed in another.
__kernel void orthogonalize_columns(__global float *a, __global float *r, __global const float *q, int k, int m, int n) {
  int j = get_global_id(0) + (k + 1);
  if (j < n) {
    r[k * n + j] = 0;
    for (int i = 0; i < m; i++)
      r[k * n + j] += q[i * n + k] * a[i * n + j];
    for (int i = 0; i < m; i++)
      a[i * n + j] -= q[i * n + k] * r[k * n + j];
  }
}
