// expect: held passes=localize device=powervr-rogue run=localize
// All work-items of a group read the same elements of x, each its own row of a.
__kernel void vector_unstaged(__global const float *a, __global const float *x, __global float *y, int n, int m) {
  int row = get_global_id(0);
  if (row >= m) return;
  float sum = 0.0f;
  for (int i = 0; i < n; i++)
    sum += a[row * n + i] * x[i];
  y[row] = sum;
}
