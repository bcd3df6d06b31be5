// RUN: %{python} %{expect} %s

// A border work-item copies the element that an inner one writes.
__kernel void border(__global int *out, __global const int *in, int n) {
  int i = get_global_id(0);
  if (i >= n - 2) {
    out[i] = in[i]; // HIT: two work-items write to one element of 'out'
    return;
  }
  out[i + 1] = in[i] + in[i + 1] + in[i + 2];
}

__kernel void all_of_them(__global float *sum, __global const float *in) {
  sum[0] = in[get_global_id(0)]; // HIT: two work-items write to one element of 'sum'
}

__kernel void neighbour(__global float *data) {
  int i = get_global_id(0);
  data[i] = data[i + 1] * 0.5f; // HIT: two work-items write and read one element of 'data'
}

__kernel void no_barrier(__global float *out) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = l; // HIT: 'part'
  out[get_global_id(0)] = part[l + 1];
}

__kernel void own(__global float *data) {
  int i = get_global_id(0);
  data[i] = data[i] * 0.5f; // miss: its own element
}

__kernel void disjoint(__global float *data, int n) {
  int i = get_global_id(0);
  data[2 * i] = 1.0f; // miss: even and odd elements
  data[2 * i + 1] = 2.0f;
}

__kernel void with_barrier(__global float *out) {
  __local float part[65];
  int l = get_local_id(0);
  part[l] = l; // miss: the barrier orders them
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[l + 1];
}

__kernel void atomics(__global int *sum, __global const int *in) {
  atomic_add(&sum[0], in[get_global_id(0)]); // miss: atomic
}

__kernel void first_only(__global float *out, __global const float *in) {
  if (get_global_id(0) == 0)
    out[0] = in[0]; // miss: one work-item
}

__kernel void two_buffers(__global float *restrict out, __global const float *restrict in) {
  int i = get_global_id(0);
  out[i] = in[i + 1]; // miss: two buffers
}

__kernel void guarded(__global int *out, __global const int *in, int n) {
  int i = get_global_id(0);
  if (i >= n - 2)
    return;
  out[i + 1] = in[i]; // miss: every work-item has its own
}

__kernel void data_dependent(__global int *out, __global const int *in) {
  out[in[get_global_id(0)]] = get_global_id(0); // miss: the indices may all differ
}

// The host launches one work-item along a dimension that chooses nothing.
__kernel void unused_dimension(__global float *out, __global const float *in, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  out[y] = in[y] * 2.0f; // miss: dimension 0 only decides which work-items return
}

__kernel void used_dimension(__global float *out, __global const float *in, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  out[y] = in[y * w + x]; // HIT: two work-items write to one element of 'out'
}

__kernel void single(__global int *out, int n) {
  out[0] = n; // miss: no work-item id is used, so one work-item is launched
}

__kernel void the_same(__global float *out, int n) {
  __local int size;
  size = n; // HIT: all work-items that get here write the same value to one element of 'size'
  out[get_global_id(0)] = size;
}

__kernel void one_writes(__global float *out, int n) {
  __local int size;
  if (get_local_id(0) == 0)
    size = n; // miss: one of them
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = size;
}

__kernel void flagged(__global const int *in, __global int *changed) {
  if (in[get_global_id(0)] > 0)
    changed[0] = 1; // HIT: all work-items that get here write the same value to one element of 'changed'
}

__kernel void flagged_of_a_group(__global const int *in, __global int *changed) {
  if (in[get_group_id(0)] > 0 && get_local_id(0) == 0)
    changed[get_group_id(0)] = 1; // miss: each group has its own
}

__kernel void halves(__global float *out) {
  int i = get_global_id(0);
  out[i / 2] = i; // HIT: two work-items write to one element of 'out'
}

__kernel void halves_of_rows(__global float *out, __global const float *in, int w) {
  int i = get_global_id(1) * w + get_global_id(0);
  out[i >> 1] = in[i]; // HIT: two work-items write to one element of 'out'
}

__kernel void halves_of_one_value(__global float *out, __global const float *in) {
  int i = get_global_id(0);
  out[i / 2] = in[i / 2]; // miss: those that share an element store what they share
}

__kernel void halves_and_bits(__global float *out) {
  int i = get_global_id(0);
  out[i / 2 + i % 2 * 100] = i; // miss: the bit separates them
}

__kernel void whole(__global float *out) {
  int i = 2 * get_global_id(0);
  out[i / 2] = i; // miss: the quotient is the id
}

__kernel void even_ones(__global float *out) {
  int i = get_global_id(0);
  if (i % 2 == 0)
    out[i / 2] = i; // miss: one of two gets there
}

// All bodies, while each of them moves.
__kernel void bodies(__global float *at, int n) {
  int i = 3 * get_global_id(0);
  float f = 0.0f;
  for (int k = 0; k < n; ++k)
    f += at[3 * k] - at[i];
  at[i] += f; // HIT: two work-items write and read one element of 'at'
}

__kernel void bodies_moved_elsewhere(__global float *at, int n) {
  int i = 3 * get_global_id(0);
  float f = 0.0f;
  for (int k = 0; k < n; ++k)
    f += at[3 * k] - at[i];
  at[i + 1] += f; // miss: other components than those that are read of all
}

__kernel void triangle(__global float *out, __global const float *in, __local float *t) {
  int l = get_local_id(0), last = get_local_size(0) - 1;
  t[l] = in[get_global_id(0)];
  for (int i = 1; i <= last; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float v;
    if (l <= last - i)
      v = t[l] + t[l + 1];
    if (l <= last - i)
      t[l] = v; // HIT: two work-items write and read one element of 't'
  }
  out[get_global_id(0)] = t[l];
}

__kernel void triangle_with_barrier(__global float *out, __global const float *in, __local float *t) {
  int l = get_local_id(0), last = get_local_size(0) - 1;
  t[l] = in[get_global_id(0)];
  for (int i = 1; i <= last; ++i) {
    barrier(CLK_LOCAL_MEM_FENCE);
    float v;
    if (l <= last - i)
      v = t[l] + t[l + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l <= last - i)
      t[l] = v; // miss: all have read
  }
  out[get_global_id(0)] = t[l];
}

// Butterflies: rows are as long as the launch says, not as any number says.
__kernel void butterflies(__global float2 *data, int stage, int w) {
  int i = get_global_id(0), m = 1 << (stage - 1);
  int a = get_global_id(1) * w + i / m * (m * 2) + i % m, b = a + m;
  float2 u = data[a], v = data[b];
  data[a] = u + v; // miss: two elements of its own
  data[b] = u - v;
}

// One buffer is both read and written.
__kernel void parts_of_a_buffer(__global float *x, int from, int n, int to) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += x[from + k];
  x[to + i] = sum; // miss: another part, by an argument
}

// Everybody reads what one of them writes.
__kernel void first(__global const float *in, __global float *out) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)]; // HIT: two work-items write and read one element of 'part'
  float mean = part[0];
  out[get_global_id(0)] = mean;
}

__kernel void first_behind_a_barrier(__global const float *in, __global float *out) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)]; // miss: a barrier lies between
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[0];
}

__kernel void first_for_itself(__global const float *in, __global float *out) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)]; // miss: only the work-item that wrote it reads it
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

__kernel void turned_round(__global const float *in, __global float *out) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)]; // HIT: two work-items write and read one element of 'part'
  out[get_global_id(0)] = part[3 - l];
}

__kernel void behind_all(__global const float *in, __global float *out, int n) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)]; // miss: how many there are is not known
  out[get_global_id(0)] = part[n];
}

// A list whose length is counted without an atomic.
__kernel void listed(__global const uint *in, __global uint *out, uint limit) {
  uint i = get_global_id(0);
  if (in[i] < limit)
    out[out[255]++] = i; // HIT: two work-items that get here update one element of 'out', and not atomically
}

__kernel void listed_atomically(__global const uint *in, __global uint *out, uint limit) {
  uint i = get_global_id(0);
  if (in[i] < limit)
    out[atomic_inc(&out[255])] = i; // miss: an atomic
}

__kernel void one_counts(__global const uint *in, __global uint *count, uint limit) {
  if (in[get_global_id(0)] < limit && get_global_id(0) == 0)
    count[0]++; // miss: one work-item
}

__kernel void last_one(__global const uint *in, __global uint *found, uint limit) {
  if (in[get_global_id(0)] < limit)
    found[0] = get_global_id(0); // miss: any of them will do
}

// A row for each group: nothing else is launched.
__kernel void rows(__global const float *in, __global float *out, int w) {
  __local float row[64];
  int l = get_local_id(0);
  row[l] = in[get_global_id(1) * w + get_global_id(0)]; // miss: rows are counted by global ids
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * w + get_global_id(0)] = row[63 - l];
}

__kernel void rows_of_a_group(__global const float *in, __global float *out, int w) {
  __local float row[64];
  int l = get_local_id(0);
  row[l] = in[(get_group_id(1) * 4 + get_local_id(1)) * w + get_global_id(0)]; // HIT: two work-items write to one element of 'row'
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * w + get_global_id(0)] = row[63 - l];
}

// In place, at indices that are not polynomials.
__kernel void wraps(__global int *cells, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int left = (x + w - 1) % w, below = (y + 1) % h;
  int sum = cells[y * w + left] + cells[below * w + x];
  cells[y * w + x] = sum > 1; // HIT: two work-items write and read one element of 'cells'
}

__kernel void wraps_into_another(__global const int *cells, __global int *next, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int left = (x + w - 1) % w, below = (y + 1) % h;
  int sum = cells[y * w + left] + cells[below * w + x];
  next[y * w + x] = sum > 1; // miss: another buffer
}

__kernel void clamped(__global float *data, int n) {
  int i = get_global_id(0);
  data[i] = 0.5f * (data[max(i - 1, 0)] + data[min(i + 1, n - 1)]); // HIT: two work-items write and read one element of 'data'
}

__kernel void flat(__global int *cells, int w, int h) {
  int id = get_global_id(0), x = id % w, y = id / w, sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += cells[(y + dy) * w + x + dx];
  cells[id] = sum == 3; // HIT: two work-items write and read one element of 'cells'
}

__kernel void flat_own(__global int *cells, int w) {
  int id = get_global_id(0), x = id % w, y = id / w;
  cells[y * w + x] = cells[id] + 1; // miss: the same element, computed in two ways
}

__kernel void transposed(__global float *data, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  data[x * n + y] = data[y * n + x]; // HIT: two work-items write and read one element of 'data'
}

__kernel void swapped(__global float *data, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < y && y < n) {
    float v = data[x * n + y];
    data[x * n + y] = data[y * n + x]; // miss: one work-item has both
    data[y * n + x] = v;
  }
}

__kernel void scan_step(__global int *data, int offset) {
  int i = get_global_id(0);
  if (i >= offset)
    data[i] += data[i - offset]; // HIT: two work-items write and read one element of 'data'
}

__kernel void fold(__global float *data, int n) {
  int i = get_global_id(0);
  if (i < n)
    data[i] += data[i + n]; // miss: the other half
}

__kernel void fold_as_launched(__global float *data, int n) {
  int i = get_global_id(0);
  data[i] += data[i + n]; // miss: the host may launch n of them
}

__kernel void exchanged(__global int *data, int bit) {
  int i = get_global_id(0), other = i ^ bit;
  if (other > i) {
    int a = data[i], b = data[other];
    data[i] = min(a, b); // miss: a pair for each
    data[other] = max(a, b);
  }
}

__kernel void tree_without_barriers(__global const float *in, __global float *out, __local float *part) {
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)]; // HIT: two work-items write and read one element of 'part'
  for (int o = get_local_size(0) / 2; o > 0; o >>= 1)
    if (l < o)
      part[l] += part[l + o];
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

__kernel void tree(__global const float *in, __global float *out, __local float *part) {
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)]; // miss: a barrier in each iteration
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int o = get_local_size(0) / 2; o > 0; o >>= 1) {
    if (l < o)
      part[l] += part[l + o];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

// What data choose is counted.
__kernel void histogram(__global const uchar *in, __global uint *bins) {
  bins[in[get_global_id(0)]]++; // HIT: update one element of 'bins', and not atomically
}

__kernel void scatter_add(__global const int *index, __global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[index[i]] += in[i]; // HIT: where the data of two work-items name one element of 'out', both update it
}

__kernel void active_only(__global const int *active, __global const float *slope, __global float *out, float dt) {
  int i = active[get_global_id(0)];
  out[i] += slope[i] * dt; // miss: a list of which elements there are
}

__kernel void own_histogram(__global const uchar *in, __global uint *bins) {
  int i = get_global_id(0);
  bins[256 * i + in[i]]++; // miss: bins of its own
}

__kernel void cleared_and_counted(__global const uint *in, __global uint *bins) {
  int i = get_global_id(0);
  if (i < 256)
    bins[i] = 0; // HIT: an element of 'bins' is set by one work-item while others already update it
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  atomic_inc(&bins[in[i]]);
}

__kernel void cleared_then_counted(__global const uint *in, __global uint *bins) {
  __local uint part[256];
  int l = get_local_id(0);
  part[l] = 0; // miss: a barrier lies between
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&part[in[get_global_id(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[l], part[l]);
}

__kernel void size_of_an_image(__read_only image2d_t picture, __global float *data) {
  int x = get_global_id(0), y = get_global_id(1), w = get_image_width(picture);
  data[y * w + x] = data[y * w + min(x + 1, w - 1)]; // HIT: two work-items write and read one element of 'data'
}

__kernel void own_of_an_image(__read_only image2d_t picture, __global float *data) {
  int x = get_global_id(0), y = get_global_id(1), w = get_image_width(picture);
  data[y * w + x] = data[y * w + x] * 2.0f; // miss: its own
}

__kernel void cleared_in_a_branch(__global const uint *in, __global uint *bins, int local_ones) {
  __local uint part[256];
  int l = get_local_id(0);
  if (local_ones) {
    part[l] = 0; // miss: a barrier follows under the same condition
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int k = 0; k < 4; ++k)
    if (local_ones)
      atomic_inc(&part[in[4 * get_global_id(0) + k]]);
    else
      atomic_inc(&bins[in[4 * get_global_id(0) + k]]);
}

// In each iteration of a loop, at an index from a table and the work-item's id.
__kernel void votes(__global const float *sines, __global int *count, int angles, int w) {
  int i = get_global_id(0);
  for (int a = 0; a < angles; ++a) {
    int r = (int)(i * sines[a]);
    count[a * w + r] += 1; // HIT: two work-items that get here update one element of 'count'
  }
}

__kernel void votes_of_its_own(__global const float *sines, __global int *count, int angles) {
  int i = get_global_id(0);
  for (int a = 0; a < angles; ++a)
    count[i * angles + a] += (int)sines[a]; // miss: each work-item has its own
}

__kernel void corner(__global const float *in, __global float *out) {
  __local float tile[66];
  int l = get_local_id(0), i = get_global_id(0);
  tile[l + 1] = in[i];
  tile[0] = in[get_group_id(0)]; // HIT: all work-items that get here write one element of 'tile'
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[l] + tile[l + 1];
}

__kernel void corner_by_one(__global const float *in, __global float *out) {
  __local float tile[66];
  int l = get_local_id(0), i = get_global_id(0);
  tile[l + 1] = in[i];
  if (l == 0)
    tile[0] = in[get_group_id(0)]; // miss: one of them
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[l] + tile[l + 1];
}

// What one group puts where another one reads.
__kernel void sums_in_place(__global float *data, __local float *part) {
  int l = get_local_id(0);
  part[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    data[get_group_id(0)] = part[0] + part[1]; // HIT: two work-items write and read one element of 'data'
}

__kernel void sums_of_one_group(__global float *data, __local float *part) {
  int l = get_local_id(0);
  part[l] = data[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    data[0] = part[0] + part[1]; // miss: local ids only, so there is one group
}

__kernel void counted_by_group(__global const int *data, __global int *counts, uint n, uint per) {
  if (get_global_id(0) >= n)
    return;
  for (uint i = 0; i < per; i++)
    if (data[get_group_id(0) + i] == 1)
      counts[get_group_id(0)]++; // HIT: update one element of 'counts', and not atomically
}

__kernel void counted_by_single_items(__global const int *data, __global int *counts, uint per) {
  for (uint i = 0; i < per; i++)
    if (data[get_group_id(0) + i] == 1)
      counts[get_group_id(0)]++; // miss: the group may have a single work-item
}

__kernel void counted_by_the_first(__global const int *data, __global int *counts) {
  if (get_local_id(0) == 0 && data[get_group_id(0)] > 3)
    counts[get_group_id(0)]++; // miss: one of each group
}

__kernel void marked_by_group(__global const int *of, __global int *marks, __global float *x, int n, int k) {
  int g = get_group_id(0);
  x[get_global_id(0)] = 0;
  if (g < n)
    marks[g * k + of[g]] = 1; // HIT: all work-items that get here write the same value to one element of 'marks'
}

__kernel void marked_by_the_first(__global const int *of, __global int *marks, __global float *x, int n, int k) {
  int g = get_group_id(0);
  x[get_global_id(0)] = 0;
  if (g < n && get_local_id(0) == 0)
    marks[g * k + of[g]] = 1; // miss: one of each group
}

__kernel void found(__global uint *result, uint key, uint seed) {
  if (*result)
    return;
  uint hash = seed ^ get_global_id(0);
  for (int i = 0; i < 8; ++i)
    hash = hash * 31 + (hash >> 3);
  if (hash < key)
    *result = get_global_id(0); // HIT: work-items that get here write different values to one element of 'result'
}

__kernel void found_parts(__global uchar *result, uint key, uint seed) {
  uint hash = seed ^ get_global_id(0);
  for (int i = 0; i < 8; ++i)
    hash = hash * 31 + (hash >> 3);
  if (hash < key)
    for (int i = 0; i < 4; ++i)
      result[i] = get_global_id(0) >> 8 * i; // HIT: work-items that get here write different values to one element of 'result'
}

__kernel void found_any(__global uint *result, uint key, uint seed) {
  uint hash = seed ^ get_global_id(0);
  for (int i = 0; i < 8; ++i)
    hash = hash * 31 + (hash >> 3);
  if (hash < key)
    *result = get_global_id(0); // miss: any of them will do
}

__kernel void found_first(__global uint *result, __global int *count, uint key, uint seed) {
  uint hash = seed ^ get_global_id(0);
  for (int i = 0; i < 8; ++i)
    hash = hash * 31 + (hash >> 3);
  if (hash == key) {
    int before = atomic_inc(count);
    if (before == 0)
      *result = get_global_id(0); // miss: the atomic lets one
  }
}

__kernel void root(__global const int *parent, __global int *result) {
  int i = get_global_id(0);
  if (parent[i] == -1)
    result[0] = i; // miss: a tree has one
}

__kernel void inside(__global const float2 *boxes, __global const float *points, __global int *box, int n, int m) {
  for (int b = get_global_id(1); b < n; b += get_global_size(1))
    for (int p = get_global_id(0); p < m; p += get_global_size(0))
      if (boxes[b].x < points[p] && boxes[b].y > points[p])
        box[p] = b; // HIT: work-items that get here write different values to one element of 'box'
}

__kernel void inside_of_any(__global const float2 *boxes, __global const float *points, __global int *box, int n, int m) {
  for (int b = 0; b < n; ++b)
    for (int p = get_global_id(0); p < m; p += get_global_size(0))
      if (boxes[b].x < points[p] && boxes[b].y > points[p])
        box[p] = b; // miss: each point is one work-item's
}

// A barrier that other macros show.
__kernel void mirrored(__global const float *in, __global float *out) {
  __local float tile[65];
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)]; // miss: a barrier lies between if ORDERED is defined
#ifdef ORDERED
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
  out[get_global_id(0)] = tile[l + 1];
}

__kernel void unordered(__global const float *in, __global float *out) {
  __local float tile[65];
  int l = get_local_id(0);
  tile[l] = in[get_global_id(0)]; // HIT: write and read one element of 'tile'
  // barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[l + 1];
}

// One work-item writes, and the others test a flag before they do.
__kernel void asked_at_once(__global int *data, int step) {
  __local int end;
  int l = get_local_id(0);
  if (l == 0)
    end = 8; // HIT: write and read one element of 'end'
  for (int k = 0; k < end; ++k)
    data[get_global_id(0)] += step;
}

__kernel void asked_behind_a_barrier(__global int *data, int step) {
  __local int end;
  int l = get_local_id(0);
  if (l == 0)
    end = 8; // miss: a barrier lets them wait
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < end; ++k)
    data[get_global_id(0)] += step;
}

__kernel void asked_by_the_one(__global int *data, int step) {
  __local int end;
  int l = get_local_id(0);
  if (l == 0) {
    end = 8; // miss: the work-item that wrote it reads it
    for (int k = 0; k < end; ++k)
      data[k] += step;
  }
}

__kernel void compared_at_once(__global int *data) {
  __local int least;
  int l = get_local_id(0);
  if (l == 0)
    least = 8; // HIT: write and read one element of 'least'
  if (data[get_global_id(0)] < least)
    data[get_global_id(0)] = 0;
}

__kernel void written_by_all(__global int *data) {
  __local int least;
  least = 8; // HIT: all work-items that get here write the same value
  if (data[get_global_id(0)] < least) // miss: each reads what it wrote as well
    data[get_global_id(0)] = 0;
}

// Where the work begins is an argument.
__kernel void window(__global uint *bits, int w, int h, int left, int top) {
  int x = left + get_global_id(0), y = top + get_global_id(1);
  if (x < w && y < h)
    bits[x + y * w] = bits[x + y * w] + bits[x + 1 + y * w]; // HIT: two work-items write and read one element of 'bits'
}

__kernel void window_own(__global uint *bits, int w, int h, int left, int top) {
  int x = left + get_global_id(0), y = top + get_global_id(1);
  if (x < w && y < h)
    bits[x + y * w] = bits[x + y * w] + 1; // miss: each its own
}

__kernel void window_every(__global uint *bits, int w, int left, int step) {
  int x = left + get_global_id(0);
  if (x < w && x % step == 0)
    bits[x] = bits[x] + bits[x + 1]; // miss: the next one may write nothing
}

__kernel void sums_of_labels(__global float *sums, __global int *count, __global const int *labels, int n) {
  int label = labels[get_global_id(0)];
  if (label < 0 || label >= n)
    return;
  sums[label] += get_global_id(0); // HIT: both update it, and not atomically
  atomic_inc(&count[label]);
}

__kernel void sums_of_names(__global float *sums, __global int *count, __global const int *labels, int n) {
  int label = labels[get_global_id(0)];
  if (label < 0 || label >= n)
    return;
  sums[label] += get_global_id(0); // miss: each may have another label
  atomic_inc(&count[0]);
}

__kernel void golden(volatile __global uint *restrict found, uint a, uint b) {
  uint id = get_global_id(0);
  uint x = rotate(id ^ a, 7u) + b, y = rotate(id + b, 13u) ^ a;
  if (a ^ x ^ y)
    return;
  found[found[255]++] = id; // HIT: two work-items that get here update one element of 'found'
}

__kernel void golden_one(__global uint *found, uint a, uint b) {
  uint id = get_global_id(0);
  uint x = rotate(id ^ a, 7u) + b;
  if (x ^ a)
    return;
  found[255] += 1; // miss: one id alone fits
}

__kernel void golden_safe(__global uint *found, uint a, uint b) {
  uint id = get_global_id(0);
  uint x = rotate(id ^ a, 7u) + b, y = rotate(id + b, 13u) ^ a;
  if (a ^ x ^ y)
    return;
  found[atomic_inc(&found[255])] = 1; // miss: an atomic
}

// A compare-and-store of a running extremum: several work-items can pass the test, whatever other conditions there are.
__kernel void best_of_chosen(__global const int *in, __global const int *cost, __global int *best, int chosen) {
  int i = get_global_id(0);
  if (in[i] == chosen && (best[0] == -1 || cost[i] < best[0]))
    best[0] = cost[i]; // HIT: different values to one element of 'best'
}

__kernel void best_of_one(__global const int *in, __global const int *cost, __global int *best, int chosen) {
  int i = get_global_id(0);
  if (i == chosen && cost[i] < best[0])
    best[0] = cost[i]; // miss: one work-item
}

__kernel void chosen_alone(__global const int *in, __global const int *cost, __global int *best, int chosen) {
  int i = get_global_id(0);
  if (in[i] == chosen && best[0] < 7)
    best[0] = cost[i]; // miss: what is there is not compared with the work-item's own
}

__kernel void best_of_each(__global const int *in, __global const int *cost, __global int *best, int chosen) {
  int i = get_global_id(0);
  if (in[i] == chosen && cost[i] < best[i])
    best[i] = cost[i]; // miss: each has an element of its own
}
