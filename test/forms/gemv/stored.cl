__kernel void gemv(__global const float *m, __global const float *v, __global float *out, const int n) {
  const size_t row = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k != n; k++) {
    const float x = v[k];
    sum = m[row * n + k] * x + sum;
  }
  out[row] = sum;
}
