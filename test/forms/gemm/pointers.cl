__kernel void gemm(__global const float *restrict a, __global const float *restrict b, __global float *restrict c,
                   int n) {
  const int column = get_global_id(0), row = get_global_id(1);
  __global const float *p = a + row * n, *q = b + column;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k, q += n)
    sum = sum + *p++ * *q;
  c[row * n + column] = sum;
}
