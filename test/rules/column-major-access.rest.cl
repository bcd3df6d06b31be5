// RUN: %{python} %{expect} %s
__kernel void rows_by_vectors(__global const float *in, __global float *out, int n) {
  int r = get_global_id(0);
  float8 sums = 0.0f;
  int k = 0;
  for (; k + 8 <= n; k += 8)
    sums += vload8(0, in + r * n + k);
  float sum = sums.s0 + sums.s1 + sums.s2 + sums.s3 + sums.s4 + sums.s5 + sums.s6 + sums.s7;
  for (; k < n; ++k)
    sum += in[r * n + k]; // miss: what the vectors leave over
  out[r] = sum;
}

__kernel void rows_one_by_one(__global const float *in, __global float *out, int n) {
  int r = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[r * n + k]; // HIT: 'in' is walked along a row by each work-item
  out[r] = sum;
}
