// expect: held passes=vectorize
// Signed bytes multiplied into 32-bit sums.
__kernel void product_int8(__global const char *lhs, __global const char *rhs, __global int *res, int m, int n, int k) {
  int col = get_global_id(0);
  int row = get_global_id(1);
  if (row >= m || col >= n)
    return;
  int sum = 0;
  for (int t = 0; t < k; ++t)
    sum += (int)lhs[row * k + t] * (int)rhs[t * n + col];
  res[row * n + col] = sum;
}
