__kernel void gemv(__global const float *m, __global const float *v, __global float *out, int n) {
  int row = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += m[row * n + k] * v[k];
  out[row] = sum;
}
