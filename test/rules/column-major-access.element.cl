// RUN: %{python} %{expect} %s
// One element of each row: the column is the same for all work-items.

__kernel void eliminate(__global float *a, int n, int k) {
  int i = get_global_id(0);
  if (i > k && i < n)
    a[i * n + k] /= a[k * n + k]; // HIT: 'a' is walked down a column: neighbours in dimension 0 are a row apart
}

__kernel void in_a_vector(__global float *x, int incx, int first, float a) {
  int i = get_global_id(0);
  x[i * incx + first] *= a; // miss: a step of the host's, which counts nothing else
}

__kernel void row_by_row(__global float *a, int n, int k) {
  int i = get_global_id(0);
  if (i > k && i < n)
    a[k * n + i] /= a[k * n + k]; // miss: along the row
}

__kernel void where_data_say(__global float *a, __global const int *column, int n, int k) {
  int i = get_global_id(0);
  a[i * n + k] = a[k * n + column[i]]; // HIT: 'a' is walked down a column
}

__kernel void of_data_alone(__global float *a, __global const int *column, int n, int k) {
  int i = get_global_id(0);
  a[i * n + k * n + column[i]] = 0.0f; // miss: a gather
}

__kernel void last_ones(__global float *x, __global float *sums, int n) {
  int i = get_global_id(0);
  sums[i] = x[i * n + (n - 1)]; // HIT: 'x' is walked down a column: neighbours in dimension 0 are a row apart
}

__kernel void known(__global float *a, int k) {
  int i = get_global_id(0);
  a[i * 512 + k] = 0.0f; // HIT: 'a' is walked down a column: neighbours in dimension 0 are 2048 bytes apart
}

__kernel void short_ones(__global float *a, int k) {
  int i = get_global_id(0);
  a[i * 4 + k] = 0.0f; // miss: within a cache line
}

__kernel void a_field(__global float *a) {
  int i = get_global_id(0);
  a[i * 512 + 3] = 0.0f; // miss: always the same place of a record, as far as can be seen
}
