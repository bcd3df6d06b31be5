// expect: held passes=vectorize
// A step of Gaussian elimination: rows below the pivot read its row, which none of them writes.
__kernel void eliminate_below_pivot(__global const float *m, __global float *a, int size, int t) {
  int row = get_global_id(0), col = get_global_id(1);
  if (row < size - 1 - t && col < size - t)
    a[size * (row + 1 + t) + (col + t)] -= m[size * (row + 1 + t) + t] * a[size * t + (col + t)];
}
