// One work-item for each element of a vector.
__kernel void axpy(__global const float *x, __global float *y, float a, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] += a * x[i];
}

// The same, the guard as an early exit and the element by a pointer.
__kernel void axpy_exit(__global const float *x, __global float *y, float a, int n) {
  const size_t at = get_global_id(0);
  if (at >= (size_t)n)
    return;
  __global float *to = y + at;
  *to = a * x[at] + *to;
}

// Dimension 0 walks along memory.
__kernel void mean_rows(__global const float *restrict s, __global float *restrict d, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  d[y * w + x] = 0.5f * (s[y * w + x] + s[(y + 1) * w + x]);
}

// Dimension 1 walks along memory.
__kernel void mean_columns(__global const float *restrict s, __global float *restrict d) {
  const size_t row = get_global_id(0), width = get_global_size(1);
  d[get_global_id(1) + row * width] =
      (s[get_global_id(1) + row * width] + s[get_global_id(1) + (row + 1) * width]) * 0.5f;
}

// Planes, rows, columns.
__kernel void planes(__global const float *restrict s, __global float *restrict d, int w, int h) {
  int at = (get_global_id(2) * h + get_global_id(1)) * w + get_global_id(0);
  d[at] = s[at] + 1.0f;
}

// No dimension walks along memory.
__kernel void gather(__global const float *restrict s, __global const int *restrict at,
                     __global float *restrict d, int n) {
  int i = get_global_id(0);
  d[7 * i] = s[at[3 * i]];
}

// Old values of atomics order work-items: no block at all.
__kernel void count(__global const int *s, __global int *bins) {
  bins[1 + (atomic_inc(&bins[0]) & 15)] = s[get_global_id(0)];
}

// Groups of six work-items.
__kernel void groups(__global const float *s, __global float *d) {
  __local float t[6];
  t[get_local_id(0)] = s[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  d[get_global_id(0)] = t[get_local_id(0)] + t[(get_local_id(0) + 1) % get_local_size(0)];
}
