__kernel void softmax(__global const float *restrict in, __global float *restrict out, int n) {
  __global const float *row = in + get_global_id(0) * n;
  __global float *to = out + get_global_id(0) * n;
  float most = row[0];
  for (int k = 1; k < n; ++k)
    most = fmax(most, row[k]);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    to[k] = native_exp(row[k] - most);
    sum += to[k];
  }
  for (int k = 0; k < n; ++k)
    to[k] /= sum;
}
