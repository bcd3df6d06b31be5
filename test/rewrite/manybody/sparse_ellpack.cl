// expect: held
// Sparse matrix times vector in ELLPACK: values and columns contiguous across items, the vector gathered.
__kernel void sparse_ellpack(__global const float *val, __global const float *vec, __global const int *cols, int perRow, int dim,
                             __global float *out) {
  uint t = get_global_id(0);
  if (t < dim) {
    float result = 0.0f;
    for (int i = 0; i < perRow; i++) {
      int ind = i * dim + t;
      result += val[ind] * vec[cols[ind]];
    }
    out[t] = result;
  }
}
