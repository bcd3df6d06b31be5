// expect: any
// Sparse matrix times vector, compressed rows, one row for each item: gathers.
__kernel void sparse_rows_csr(__global const float *val, __global const float *vec, __global const int *cols,
                              __global const int *rowDelimiters, const int dim, __global float *out) {
  int row = get_global_id(0);
  if (row < dim) {
    float t = 0;
    int start = rowDelimiters[row];
    int end = rowDelimiters[row + 1];
    for (int j = start; j < end; j++)
      t += val[j] * vec[cols[j]];
    out[row] = t;
  }
}
