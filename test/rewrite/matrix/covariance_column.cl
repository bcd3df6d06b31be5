// expect: held
// One column of a covariance matrix for each work-item, upper triangle mirrored.
__kernel void covariance_column(__global float *symmat, __global const float *data, int m, int n) {
  int j1 = get_global_id(0);
  if (j1 < m) {
    for (int j2 = j1; j2 < m; j2++) {
      float s = 0.0f;
      for (int i = 0; i < n; i++)
        s += data[i * m + j1] * data[i * m + j2];
      symmat[j1 * m + j2] = s;
      symmat[j2 * m + j1] = s;
    }
  }
}
