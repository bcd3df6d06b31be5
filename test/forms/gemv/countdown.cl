__kernel void gemv(__global const float *restrict m, __global const float *restrict v, __global float *restrict out,
                   int n) {
  int row = get_global_id(0), left = n;
  m += row * n;
  float sum = 0.0f;
  while (left--)
    sum += *m++ * *v++;
  out[row] = sum;
}
