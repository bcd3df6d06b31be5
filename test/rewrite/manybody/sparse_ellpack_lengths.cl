// expect: held passes=vectorize
// ELLPACK with a length for each row: in lockstep as long as all rows go on.
__kernel void sparse_ellpack_lengths(__global const float *val, __global const float *vec, __global const int *cols,
                                     __global const int *lengths, int dim, __global float *out) {
  int t = get_global_id(0);
  if (t < dim) {
    float result = 0.0f;
    int end = lengths[t];
    for (int i = 0; i < end; i++)
      result += val[i * dim + t] * vec[cols[i * dim + t]];
    out[t] = result;
  }
}
