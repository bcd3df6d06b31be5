// expect: held passes=vectorize
// Transposed matrix times vector: each work-item walks one column, neighbours are contiguous.
__kernel void matvec_transposed(__global const float *A, __global const float *tmp, __global float *y, int nx, int ny) {
  int j = get_global_id(0);
  if (j < ny) {
    float s = y[j];
    for (int i = 0; i < nx; i++)
      s += A[i * ny + j] * tmp[i];
    y[j] = s;
  }
}
