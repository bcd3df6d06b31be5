// expect: any device=mali-bifrost
// One row, and the launch passes one buffer for both: each weight is read after the elements before
// it were written, so the loads stay in order.
__kernel void row_scaled_by_itself(__global float *x, __global const float *weights, int n, int shift) {
  __global float *row = x + get_global_id(0) * n + shift;
  for (int i = 0; i < n - shift; ++i)
    row[i] = row[i] * 0.5f + weights[i];
}
