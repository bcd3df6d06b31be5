__kernel void gemv(__global const float *restrict m, __global const float *restrict v, __global float *restrict out,
                   int n) {
  int row = get_global_id(0);
  m += row * n;
  float sum = 0.0f;
  for (int k = n; k > 0; --k)
    sum += *m++ * *v++;
  out[row] = sum;
}
