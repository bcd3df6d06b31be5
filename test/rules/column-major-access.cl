// RUN: %{python} %{expect} %s

__kernel void swapped(__global const float *in, __global float *out, int w) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = in[y * w + x]; // HIT: 'out' is walked down its columns: neighbours in dimension 0 are a row apart
}

__kernel void constant_pitch(__global float *out) {
  out[get_global_id(0) * 1024 + get_global_id(1)] = 1.0f; // HIT: 4096 bytes apart
}

__kernel void launch_pitch(__global float *out) {
  out[get_global_id(0) * get_global_size(1) + get_global_id(1)] = 1.0f; // HIT: a row apart
}

__kernel void right(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x]; // miss: dimension 0 walks along memory
}

__kernel void transpose(__global const float *in, __global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * h + y] = in[y * w + x]; // HIT: 'out' is walked down its columns, and another buffer is not
}

__kernel void transpose_a_tile(__global const float *in, __global float *out, int w, int h) {
  __local float tile[16][17];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  tile[ly][lx] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(get_group_id(0) * 16 + ly) * h + get_group_id(1) * 16 + lx] = tile[lx][ly]; // miss: both are walked along rows
}

// Pixels of as many bytes as the host says.
__kernel void pixels(__global const uchar *in, __global uchar *out, int width, int pitch) {
  int y = get_global_id(0), x = get_global_id(1), size = pitch / width;
  int at = y * pitch + x * size;
  out[at] = in[at]; // HIT: is walked down its columns: neighbours in dimension 0 are a row apart
}

__kernel void pixels_in_order(__global const uchar *in, __global uchar *out, int width, int pitch) {
  int x = get_global_id(0), y = get_global_id(1), size = pitch / width;
  int at = y * pitch + x * size;
  out[at] = in[at]; // miss: a pixel apart
}

__kernel void channels(__global const uchar *in, __global uchar *out, int w, int c) {
  int y = get_global_id(0), x = get_global_id(1);
  out[(y * w + x) * c] = in[(y * w + x) * c]; // HIT: is walked down its columns: neighbours in dimension 0 are a row apart
}

__kernel void two_pitches(__global const uchar *in, __global uchar *out, int w, int c) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x * c] = in[y * w + x * c]; // miss: which stride is larger is unknown
}

__kernel void rows(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k]; // HIT: 'in' is walked along a row by each work-item of dimension 0
  out[i] = sum;
}

__kernel void gather(__global const float *in, __global const int *index, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[index[x] + y]; // miss: the address comes from memory
}

__kernel void columns(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[k * n + i]; // miss: work-items are neighbours in memory
  out[i] = sum;
}

__kernel void rows_of_vectors(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float4 sum = (float4)(0.0f);
  for (int k = 0; k < n; k += 4)
    sum += vload4(0, in + i * n + k); // miss: a whole vector of the row at a time
  out[i] = sum.x + sum.y + sum.z + sum.w;
}

__kernel void same_row(__global const float *in, __global float *out, int n) {
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[get_global_id(1) * n + k]; // miss: the same row for all of dimension 0
  out[get_global_id(1) * n + get_global_id(0)] = sum;
}

__kernel void short_rows(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k)
    sum += in[i * 4 + k]; // miss: four elements, in one line with their neighbours'
  out[i] = sum;
}

// A dimension that is split by a division says nothing of the others.
__kernel void batches(__global const float *in, __global float *out, int h, int s) {
  int c = get_global_id(0), w = get_global_id(1), nh = get_global_id(2);
  int at = (nh / h) * s * 4 + c * s + (nh % h) * 16 + w;
  out[at] = 2.0f * in[at]; // HIT: is walked down its columns
}

__kernel void batches_in_order(__global const float *in, __global float *out, int h, int s) {
  int w = get_global_id(0), c = get_global_id(1), nh = get_global_id(2);
  int at = (nh / h) * s * 4 + c * s + (nh % h) * 16 + w;
  out[at] = 2.0f * in[at]; // miss: dimension 0 walks along memory
}

// A value for each row is no reason: it would be the same for neighbours.
__kernel void with_a_value_for_each_row(__global const float *in, __global const float *bias, __global float *out, int w) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = in[y * w + x] + bias[y]; // HIT: 'out' is walked down its columns
}

__kernel void with_a_value_for_each_column(__global const float *in, __global const float *bias, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x] + bias[y]; // miss: dimension 0 walks along memory
}

// A window in a row of an image: neighbours are a few elements apart.
__kernel void windows(__global const float *in, __global float *out, int w, int stride, int size) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int r = 0; r < size; ++r)
    for (int c = 0; c < size; ++c)
      sum += in[(y * stride + r) * w + x * stride + c]; // miss: other rows are w elements apart
  out[y * w + x] = sum;
}

__kernel void rows_of_matrices(__global const float *in, __global float *out, int rows, int w) {
  int y = get_global_id(0), m = get_global_id(1);
  float sum = 0.0f;
  for (int c = 0; c < w; ++c)
    sum += in[(m * rows + y) * w + c]; // HIT: 'in' is walked along a row by each work-item of dimension 0
  out[m * rows + y] = sum;
}

__kernel void stretches_of_pixels(__global const uchar *in, __global float4 *out, int length) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = i * length; k < (i + 1) * length; k += 3)
    sum += in[k] + in[k + 1] + in[k + 2]; // HIT: 'in' is walked along a row by each work-item of dimension 0
  out[i] = (float4)sum;
}

__kernel void a_sample_of_each_line(__global const float *in, __global float4 *out, int length) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < length; k += 64)
    sum += in[i * length + k]; // miss: rounds are apart, too
  out[i] = (float4)sum;
}

__kernel void best_from_the_second(__global const float *cost, __global uchar *out, int w, int range) {
  int x = get_global_id(0), y = get_global_id(1);
  float m = cost[range * (y * w + x)];
  for (int d = 1; d < range; ++d)
    m = min(m, cost[d + range * (y * w + x)]); // HIT: walked along a row by each work-item
  out[y * w + x] = m;
}

__kernel void window_from_the_second(__global const float *in, __global float *out, int side, int step, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  float m = in[y * step * w + x * step];
  for (int k = 1; k < side; ++k)
    m = fmax(m, in[y * step * w + x * step + k]); // miss: a part of a row
  out[y * w + x] = m;
}

__kernel void census(__global const uchar *img, __global uchar *out, int h, int v, int w) {
  int x = get_global_id(0), y = get_global_id(1), at = y * w + x;
  int size = (2 * h + 1) * (2 * v + 1);
  for (int j = -v; j <= v; ++j)
    for (int i = -h; i <= h; ++i)
      out[(j + v) * (2 * h + 1) + i + h + size * at] = img[at] > 7; // HIT: walked along a row by each work-item
}

__kernel void pool(__global const float *in, __global float *out, int side, int size) {
  int i = get_global_id(0);
  float m = in[i * size];
  for (int j = 0; j < side; ++j)
    for (int k = 0; k < side; ++k)
      m = fmax(m, in[i * size + j * side + k]); // HIT: walked along a row by each work-item
  out[i] = m;
}

__kernel void pool_of_a_picture(__global const float *in, __global float *out, int side, int step, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  float m = 0.0f;
  for (int j = 0; j < side; ++j)
    for (int k = 0; k < side; ++k)
      m = fmax(m, in[(y * step + j) * w + x * step + k]); // miss: its rows are the picture's
  out[y * w + x] = m;
}

// A table of a block's size is walked down its columns, too, and does not lose by a swap.
__kernel void quantize(__global const float *in, __global float *out, __global const float *table, int w) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = in[y * w + x] * // HIT: is walked down its columns
                   table[get_local_id(0) * 8 + get_local_id(1)];
}

__kernel void quantize_by_rows(__global const float *in, __global float *out, __global const float *table, int w) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = in[y * w + x] * // HIT: 'out' is walked down its columns, and another buffer is not // HIT: 'in' is walked
                   table[get_local_id(1) * 8 + get_local_id(0)];
}

__kernel void quantize_all_by_rows(__global const float *in, __global float *out, __global const float *table, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x] * // miss: all walk along rows
                   table[get_local_id(1) * 8 + get_local_id(0)];
}

__kernel void rows_apart(__global const float *in, __global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  out[(h - 1 - y) * w + x] = in[y * w + x]; // miss: the rows change their order, and stay rows
}

__kernel void columns_of_groups(__global const float *a, __global const float *b, __global float *c, int n, int rows) {
  for (int j = get_group_id(0); j < n; j += get_num_groups(0)) {
    float sum = 0;
    for (int k = get_local_id(0); k < rows; k += get_local_size(0))
      sum += a[k] * b[k * n + j]; // HIT: 'b' is walked down its columns by each group: neighbours in dimension 0 are a row apart
    c[j * get_local_size(0) + get_local_id(0)] = sum;
  }
}

__kernel void rows_of_groups(__global const float *a, __global const float *b, __global float *c, int n, int rows) {
  for (int j = get_group_id(0); j < rows; j += get_num_groups(0)) {
    float sum = 0;
    for (int k = get_local_id(0); k < n; k += get_local_size(0))
      sum += a[k] * b[j * n + k]; // miss: the group walks along a row
    c[j * get_local_size(0) + get_local_id(0)] = sum;
  }
}

// Rows of vectors.
__kernel void rows_of_pairs(__global float2 *rows, int n) {
  int r = get_global_id(0);
  for (int k = 0; k < n; k++)
    rows[r * n + k] = rows[r * n + k].yx; // HIT: 'rows' is walked along a row by each work-item of dimension 0
}

__kernel void columns_of_pairs(__global float2 *rows, int n, int m) {
  int c = get_global_id(0);
  for (int k = 0; k < n; k++)
    rows[k * m + c] = rows[k * m + c].yx; // miss: neighbours are next to each other
}

// Each work-item lists what it finds in a row of its own.
__kernel void lists(__global const float4 *in, __global int *list, __global int *found, int n, float near) {
  int i = get_global_id(0), k = 0;
  for (int j = 0; j < n && k < 99; ++j)
    if (distance(in[i], in[j]) < near) {
      ++k;
      list[i * 100 + k] = j; // HIT: 'list' is walked along a row by each work-item of dimension 0: neighbours are 400 bytes apart
    }
  found[i] = k;
}

__kernel void lists_behind(__global const float4 *in, __global int *list, __global int *found, int n, float near) {
  int i = get_global_id(0), k = 0;
  for (int j = 0; j < n; ++j)
    if (k < n && distance(in[i], in[j]) < near)
      list[i * n + k++] = j; // HIT: 'list' is walked along a row by each work-item of dimension 0: neighbours are a row apart
  found[i] = k;
}

__kernel void lists_side_by_side(__global const float4 *in, __global int *list, __global int *found, int n, float near) {
  int i = get_global_id(0), k = 0;
  for (int j = 0; j < n; ++j)
    if (distance(in[i], in[j]) < near)
      list[k++ * n + i] = j; // miss: the first elements of all lists are adjacent
  found[i] = k;
}

__kernel void lists_of_a_group(__global const float4 *in, __global int *list, __global int *count, int n, float near) {
  int i = get_global_id(0);
  for (int j = 0; j < n; ++j)
    if (distance(in[i], in[j]) < near)
      list[atomic_inc(count)] = j; // miss: one list for all
}

// Blocks of pixels: a part of a row of three bytes each.
__kernel void block_of_pixels(__global uchar *img, int w, int h, int size) {
  int x = get_global_id(0) * size, y = get_global_id(1) * size;
  int right = min(x + size, w), bottom = min(y + size, h);
  for (int r = y; r < bottom; ++r)
    for (int c = x; c < right; ++c)
      for (int k = 0; k < 3; ++k)
        img[(r * w + c) * 3 + k] /= 2; // miss: a part of the row, and the next work-item's is behind it
}

__kernel void rows_of_pixels(__global uchar *img, int w) {
  int r = get_global_id(0);
  for (int c = 0; c < w; ++c)
    for (int k = 0; k < 3; ++k)
      img[(r * w + c) * 3 + k] /= 2; // HIT: 'img' is walked along a row by each work-item of dimension 0
}

__kernel void partial_histograms(__global const uint *part, __global const uint *near, __global uint *bins, uint n) {
  uint sum = 0;
  for (uint k = get_local_id(0); k < n; k += 64) {
    sum += part[get_group_id(0) + k * 256]; // HIT: 'part' is walked down its columns by each group: neighbours in dimension 0 are 1024 bytes apart
    sum += near[get_group_id(0) + k * 4]; // miss: 16 bytes apart
  }
  bins[get_global_id(0)] = sum;
}

__kernel void constant_rows(__global const float *in, __global float *out, __constant float *weights, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int c = 0; c < n; ++c)
    sum += in[c] * weights[i * n + c]; // HIT: 'weights' is walked along a row by each work-item
  out[i] = sum;
}

__constant float table[256] = {1.0f, 2.0f};
__kernel void table_rows(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int c = 0; c < n; ++c)
    sum += in[c] * table[i * n + c]; // miss: a table of the program
  out[i] = sum;
}

__kernel __attribute__((reqd_work_group_size(1, 64, 1))) void group_of_rows(__global float *out, int w) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = 1.0f; // miss: neighbours in the group differ in dimension 1
}

__kernel __attribute__((reqd_work_group_size(2, 32, 1))) void group_of_two(__global float *out, int w) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = 1.0f; // HIT: 'out' is walked down its columns
}
