// expect: held passes=merge-loads,vectorize device=mali-bifrost
// Rows in place, each times the weights that all rows share: were both one buffer, rows would race.
__kernel void rows_scaled_by_weights(__global float *x, __global const float *weights, int n) {
  __global float *row = x + get_global_id(0) * n;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i)
    sum += row[i];
  float mean = sum / n;
  for (int i = 0; i < n; ++i)
    row[i] = (row[i] - mean) * weights[i];
}
