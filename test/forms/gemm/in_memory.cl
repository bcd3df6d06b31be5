__kernel void gemm(__global const float *a, __global const float *b, __global float *c, int n) {
  size_t i = get_global_id(1), j = get_global_id(0);
  float value = 0;
  int k = 0;
  while (k < n) {
    float left = a[i * n + k];
    float right = b[k * n + j];
    value += left * right;
    k++;
  }
  c[i * n + j] = value;
}
