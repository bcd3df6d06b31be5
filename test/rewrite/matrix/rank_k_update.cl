// expect: held passes=vectorize
// C += alpha * A * A^T, both operands walk along rows of A.
__kernel void rank_k_update(float alpha, float beta, __global const float *a, __global float *c, int m, int n) {
  int j = get_global_id(0);
  int i = get_global_id(1);
  if (i < n && j < n) {
    float acc = c[i * n + j] * beta;
    for (int k = 0; k < m; k++)
      acc += alpha * a[i * m + k] * a[j * m + k];
    c[i * n + j] = acc;
  }
}
