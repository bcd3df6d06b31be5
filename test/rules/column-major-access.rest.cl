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

__kernel void short_ids(__global short2 *g, __global int *first, short w, short h) {
  short y = get_global_id(0), u = 0;
  if (y >= h)
    return;
  __global short2 *row = g + y * w;
  while (u < w && row[u].x < 0) // HIT: 'g' is walked along a row by each work-item
    ++u;
  first[y] = u; // miss: one behind the other
}

__kernel void wrapped_ids(__global const int *g, __global int *sums, int w) {
  uchar y = get_global_id(0);
  int sum = 0;
  for (int u = 0; u < w; ++u)
    sum += g[y * w + u]; // miss: ids of 8 bits wrap on purpose
  sums[get_global_id(0)] = sum;
}

__kernel void but_the_last(__global int *m, int n) {
  int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  for (int j = 0; j < n - 1; ++j)
    m[i * n + j] = m[i * n + j + 1]; // HIT: 'm' is walked along a row by each work-item
}

__kernel void part_of_a_row(__global const int *m, __global int *sums, int n, int w) {
  int i = get_global_id(1) * w + get_global_id(0) * n, sum = 0;
  for (int j = 0; j < n - 2; ++j)
    sum += m[i + j]; // miss: rows have other parts
  sums[get_global_id(1) * get_global_size(0) + get_global_id(0)] = sum;
}

__kernel void stacks(__global const int *in, __global int *stacks, __global int *out, int w) {
  int y = get_global_id(0), top = 0;
  __global int *own = stacks + y * w;
  for (int i = 0; i < w; ++i) {
    int v = in[i];
    while (top > 0 && own[top] > v)
      --top;
    own[++top] = v; // HIT: 'stacks' is walked along a row by each work-item
  }
  out[y] = top;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void alone(__global const int *in, __global int *sums, int n) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k]; // miss: a group of one work-item
  sums[i] = sum;
}

__kernel void pixels_by_vectors(__global const uchar4 *in, __global uint *sums, int n) {
  int r = get_global_id(0), k = 0;
  uint sum = 0;
  for (; k + 4 <= n; k += 4)
    sum += vload16(0, (__global const uchar *)(in + r * n + k)).s0;
  for (; k < n; ++k)
    sum += in[r * n + k].x; // miss: what the vectors leave over
  sums[r] = sum;
}

__kernel void pixels_one_by_one(__global const uchar4 *in, __global uint *sums, int n) {
  int r = get_global_id(0);
  uint sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[r * n + k].x; // HIT: 'in' is walked along a row by each work-item
  sums[r] = sum;
}
