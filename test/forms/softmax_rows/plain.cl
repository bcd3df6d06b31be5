__kernel void softmax(__global const float *in, __global float *out, int n) {
  int row = get_global_id(0);
  float most = in[row * n];
  for (int k = 1; k < n; ++k)
    most = fmax(most, in[row * n + k]);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    float e = native_exp(in[row * n + k] - most);
    out[row * n + k] = e;
    sum += e;
  }
  for (int k = 0; k < n; ++k)
    out[row * n + k] = out[row * n + k] / sum;
}
