// expect: held passes=vectorize
// Two matrix-vector products with the same transposed walk and one combined result.
__kernel void two_matvecs(__global const float *A, __global const float *B, __global const float *x, __global float *y, float alpha,
                          float beta, int n) {
  int i = get_global_id(0);
  if (i < n) {
    float ta = 0.0f, tb = 0.0f;
    int j;
    for (j = 0; j < n; j++) {
      ta += A[j * n + i] * x[j];
      tb += B[j * n + i] * x[j];
    }
    y[i] = alpha * ta + beta * tb;
  }
}
