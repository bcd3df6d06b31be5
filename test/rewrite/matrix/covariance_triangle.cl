// expect: held passes=vectorize
// Each item a row of a triangle and its mirror image: rows of different length, that meet nowhere.
__kernel void covariance_triangle(__global float *cov, __global const float *data, int m, int n) {
  int i = get_global_id(0);
  if (i < m)
    for (int j = i; j < m; j++) {
      float sum = 0.0f;
      for (int k = 0; k < n; k++)
        sum += data[k * m + i] * data[k * m + j];
      cov[i * m + j] = sum;
      cov[j * m + i] = cov[i * m + j];
    }
}
