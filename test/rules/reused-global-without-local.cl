// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --fail-on=info --checks=-*,reused-global-without-local --option=reused-global-without-local.MinReads=9 %S/Inputs/stencil.cl
// RUN: clmali-lint --device=powervr --checks=-*,reused-global-without-local %S/Inputs/three-rows.cl | FileCheck --check-prefix=ROWS %s
// RUN: clmali-lint --device=powervr --checks=-*,reused-global-without-local --option=reused-global-without-local.MaxRows=0 %S/Inputs/three-rows.cl | FileCheck --allow-empty --check-prefix=NO-ROWS %s
// RUN: clmali-lint --device=powervr --checks=-*,reused-global-without-local %S/Inputs/comb.cl | FileCheck --check-prefix=COMB %s
// RUN: clmali-lint --device=powervr --checks=-*,reused-global-without-local --option=reused-global-without-local.MaxDistance=7 %S/Inputs/comb.cl | FileCheck --allow-empty --check-prefix=NO-COMB %s
// RUN: clmali-lint --device=powervr --checks=-*,reused-global-without-local --option=reused-global-without-local.LeastShare=0 %s | FileCheck --check-prefix=SHARE %s
// SHARE: kernel 'stencil_beside_a_loop'
// ROWS: read by 3 neighbouring work-items of dimensions 0 and 1
// NO-ROWS-NOT: of dimensions 0 and 1
// COMB: read by 3 neighbouring work-items of dimension 0
// NO-COMB-NOT: read by 3 neighbouring
__kernel void stencil(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + 1] + in[i + 2]; // HIT: each element of 'in' is read by 3 neighbouring work-items
}

__kernel void product(__global const float *a, __global const float *b, __global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x]; // HIT: of 'a' is read by every work-item of dimension 0 // HIT: of 'b' is read by every work-item of dimension 1
  c[y * n + x] = sum;
}

__kernel void own(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[3 * i] + in[3 * i + 1] + in[3 * i + 2]; // miss: each element is read once
}

__kernel void two(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + 1]; // miss: two readers
}

__kernel void staged(__global const float *in, __global float *out) {
  __local float tile[66];
  int l = get_local_id(0), i = get_global_id(0);
  tile[l] = in[i]; // miss: it is staged
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tile[l] + in[i + 1] + in[i + 2];
}

__kernel void in_place(__global float *data) {
  int i = 4 * get_global_id(0);
  data[i] = data[i + 1] + data[i + 2] + data[i + 3]; // miss: each work-item its own four
}

__kernel void cross(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]; // HIT(powervr-rogue): neighbouring work-items of dimensions 0 and 1
}

__kernel void planes(__global const float *in, __global float *out, int w, int plane) {
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[y * w + x] + in[y * w + x + plane] + in[y * w + x + 2 * plane]; // miss: each work-item reads its own planes
}

__kernel void product_of_rows(__global const float *a, __global const float *b, __global float *c, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += a[y * n + k] * b[k * n + x]; // HIT(powervr-rogue): each element of 'a' // HIT(powervr-rogue): each element of 'b'
  c[y * n + x] = sum;
}

__kernel void listed(__global const uint *in, __global uint *list) {
  uint i = get_global_id(0), bits = 0;
  for (int k = 0; k < 64; ++k)
    bits |= in[i + k * get_global_size(0)]; // miss: there is no other dimension, wherever the list is written
  if (bits)
    list[atomic_inc(list)] = i;
}

__kernel void lone_dimension(__global const float *in, __global float *out) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k)
    sum += in[8 * x + k]; // miss: each work-item its own
  out[x] = sum;
}

// Windows that loops walk.
__kernel void window(__global const float *in, __constant float *weights, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += in[(y + dy) * w + x + dx] * weights[3 * dy + dx + 4]; // HIT: each element of 'in' is read by several neighbouring work-items
  out[y * w + x] = sum;
}

__kernel void clamped_window(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)]; // HIT: each element of 'in' is read by several
  out[y * w + x] = sum / 25;
}

__kernel void window_of_a_length(__global const float *in, __global const float *mask, __global float *out, int n, int width) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    int at = i + k - n / 2;
    if (at >= 0 && at < width)
      sum += in[at] * mask[k]; // HIT: each element of 'in' is read by several // HIT: read by all work-items
  }
  out[i] = sum;
}

__kernel void by_offsets(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  int at[5] = {y * w + x, y * w + x + 1, y * w + x + 2, y * w + x + 3, y * w + x + 4};
  float sum = 0.0f;
  for (int k = 0; k < 5; ++k)
    sum = fmax(sum, in[at[k]]); // HIT: each element of 'in' is read by several
  out[y * w + x] = sum;
}

__kernel void tiles_of_their_own(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx)
      sum += in[(3 * y + dy) * 3 * w + 3 * x + dx]; // miss: the windows do not overlap
  out[y * w + x] = sum;
}

__kernel void pairs(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 2; ++k)
    sum += in[i + k]; // miss: two readers
  out[i] = sum;
}

__kernel void all_of_it(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[k]; // HIT: is read by all work-items, one after another
  out[i] = sum;
}

__kernel void gathered(__global const int *index, __global const float *in, __global float *out) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < 8; ++k)
    sum += in[index[8 * i + k]]; // miss: where data say
  out[i] = sum;
}

__kernel void slices(__global const float *in, __global float *out, int slice, int more, int less) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < more - less; ++k)
    sum += in[i + k * slice]; // miss: a slice may be as long as the launch
  out[i] = sum;
}

static int inside(int v, int n) {
  if (v < 0)
    return 0;
  if (v >= n)
    return n - 1;
  return v;
}

__kernel void clamped_by_a_function(__global const uchar *in, __global const int *mask, __global uchar *out) {
  int w = get_global_size(0), h = get_global_size(1), x = get_global_id(0), y = get_global_id(1), sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += in[inside(y + dy, h) * w + inside(x + dx, w)] * mask[5 * dy + dx + 12]; // HIT: each element of 'in' is read by several // HIT: read by all work-items
  out[y * w + x] = sum / 273;
}

__kernel void wrapped(__global const int *cells, __global int *next, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int left = (x + w - 1) % w, right = (x + 1) % w, above = (y + h - 1) % h, below = (y + 1) % h;
  next[y * w + x] = cells[y * w + left] + cells[y * w + right] + cells[above * w + x] + cells[below * w + x]; // HIT: each element of 'cells' is read by several
}

__kernel void wrapped_apart(__global const int *cells, __global int *next, int n) {
  int i = get_global_id(0), at = i % n;
  next[i] = cells[3 * at] + cells[3 * at + 1] + cells[3 * at + 2]; // miss: each work-item its own three
}

// A buffer that is written, too.
__kernel void relaxed_in_place(__global float *t, int w) {
  int at = (get_global_id(1) + 1) * w + get_global_id(0) + 1;
  t[at] = 0.25f * (t[at - 1] + t[at + 1] + t[at - w] + t[at + w]); // HIT: each element of 't' is read by
}

// A few elements that all share: the others are read once.
__kernel void by_way_of(__global float *d, int n, int k) {
  int i = get_global_id(0), j = get_global_id(1);
  d[i * n + j] = fmin(d[i * n + j], d[i * n + k] + d[k * n + j]); // miss: most elements have one reader
}

// How wide the window is, an argument says, and rows are as long as the launch.
__kernel void radius_of_the_host(__global const float4 *in, __global float4 *out, __constant float *k, int diameter) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), i = 0;
  float4 sum = (float4)(0.0f);
  for (int d = -diameter / 2; d <= diameter / 2; ++d)
    sum += in[clamp(x + d, 0, w) + y * w] * k[i++]; // HIT: each element of 'in' is read by several
  out[x + y * w] = sum;
}

__kernel void length_of_the_host(__global const float4 *in, __global float4 *out, __constant float *k, int diameter) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), i = 0;
  float4 sum = (float4)(0.0f);
  for (int d = 0; d <= diameter; ++d)
    sum += in[(x + y * w) * (diameter + 1) + d] * k[i++]; // miss: each work-item its own
  out[x + y * w] = sum;
}

// A window whose position is chosen before a loop and moves in it.
__kernel void column_by_column(__global const float *in, __global float *out, int w, int h, int planes) {
  int x = get_global_id(0), y = get_global_id(1), at = x + y * w;
  int left = x == 0 ? at : at - 1, right = x == w - 1 ? at : at + 1;
  int up = y == 0 ? at : at - w, down = y == h - 1 ? at : at + w;
  for (int p = 0; p < planes; ++p) {
    out[at] = in[at] + in[left] + in[right] + in[up] + in[down]; // HIT: each element of 'in' is read by several
    at += w * h;
    left += w * h;
    right += w * h;
    up += w * h;
    down += w * h;
  }
}

__kernel void plane_by_plane(__global const float *in, __global float *out, int w, int h, int planes) {
  int at = get_global_id(0) + get_global_id(1) * w;
  for (int p = 0; p < planes; ++p) {
    out[at] = in[at] + in[at + w * h]; // miss: each work-item its own column
    at += w * h;
  }
}

__kernel void extent_in_a_vector(__global const float *in, __global float *out, int2 size) {
  int x = get_global_id(0), y = get_global_id(1);
  int left = x <= 0 ? x : x - 1, right = x >= size.x - 1 ? x : x + 1;
  out[y * size.x + x] = in[y * size.x + left] + in[y * size.x + x] + in[y * size.x + right]; // HIT: several neighbouring
}

__kernel void own_columns(__global const float *in, __global float *out, int2 size) {
  int x = get_global_id(0), y = get_global_id(1);
  int left = x <= 0 ? x : x - 1;
  out[y * size.x + x] = in[y * size.x + left]; // miss: one work-item for each element
}

// A window that is longer than the launch is tried out with.
__kernel void long_window(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = -16; k <= 16; ++k)
    sum += in[clamp(x + k, 0, w - 1) + y * w]; // HIT: each element of 'in' is read by several
  out[y * w + x] = sum;
}

__kernel void long_stride(__global const float *in, __global float *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = 0; k <= 32; ++k)
    sum += in[clamp(33 * x + k, 0, w * 1024) + y * w * 1024]; // miss: each work-item its own
  out[y * w + x] = sum;
}

// Where the window ends at the borders, a condition says.
__kernel void cut_at_the_borders(__global const uchar *in, __global uchar *out, int size) {
  int w = get_global_size(0), x = get_global_id(0), y = get_global_id(1);
  int from = x - size / 2, to = x + size / 2;
  from = from < 0 ? 0 : from;
  to = to >= w ? w - 1 : to;
  ulong sum = 0;
  for (ulong i = from; i <= to; ++i)
    sum += in[y * w + i]; // HIT: each element of 'in' is read by several
  out[y * w + x] = sum / size;
}

__kernel void all_behind(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int j = i + 1; j < n; ++j)
    sum += in[j]; // miss: to the end of the buffer
  out[i] = sum;
}

__kernel void matches(__global const char *text, __global const char *pattern, __global int *result, int n, int length) {
  int at = get_global_id(0), match = 1;
  if (at + n > length)
    return;
  for (int i = 0; i < n; i++)
    if (text[at + i] != pattern[i]) { // HIT: each element of 'text' // HIT: each element of 'pattern' is read by all
      match = 0;
      break;
    }
  result[at] = match;
}

__kernel void matches_records(__global const char *text, __global const char *pattern, __global int *result, int n) {
  int at = get_global_id(0), match = 1;
  for (int i = 0; i < n; i++)
    if (text[at * n + i] != pattern[at]) { // miss: each has a record of its own
      match = 0;
      break;
    }
  result[at] = match;
}

__kernel void one_for_all(__global const float *in, __global float *out, int n) {
  float sum = in[n - 1]; // miss: one element
  for (int k = 0; k < n; ++k)
    sum += in[n - 1]; // miss: one element, again and again
  for (int k = get_global_id(0); k < n; ++k)
    sum += out[k]; // miss: each begins at another element
  out[get_global_id(0)] = sum;
}

__kernel void tables(__constant float *weights, __global float *out, int n) {
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += weights[k]; // miss: constants are not global memory
  out[get_global_id(0)] = sum;
}

// Constants of the host do not tell which work-items share a table.
__kernel void nearest(__global const float *points, __global const float *centres, __global float *out, int n) {
  int i = get_global_id(0);
  float best = 1e30f;
  for (int c = 0; c < CENTRES; ++c) {
    float d = 0.0f;
    for (int f = 0; f < FEATURES; ++f)
      d += points[f * n + i] - centres[c * FEATURES + f]; // HIT: each element of 'centres' is read by all work-items
    best = min(best, d);
  }
  out[i] = best;
}

__kernel void blocks(__global const float *in, __global float *out) {
  float sum = 0.0f;
  for (int k = 0; k < FEATURES; ++k)
    sum += in[get_global_id(0) / CENTRES * FEATURES + k]; // miss: what is shared is the number's to say
  out[get_global_id(0)] = sum;
}

__kernel void alone(__global const float *in, __global float *out, int n) {
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[k]; // miss: a kernel of one work-item
  out[0] = sum;
}

// A flat id, and rows of which no dimension knows.
__kernel void heat(__global const int *w, __global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i - *w] + in[i + *w] + in[i - 1] + in[i + 1]; // HIT: each element of 'in' is read by 4 neighbouring work-items
}

__kernel void three_planes(__global const int *n, __global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i] + in[i + *n] + in[i + 2 * *n]; // miss: planes that lie a row apart
}

// Local memory for one buffer stages no other.
__kernel void weighted(__global const uchar *in, __global float *out, __constant float *weights, int r, int w) {
  __local float table[64];
  int x = get_global_id(0), y = get_global_id(1);
  table[get_local_id(0)] = weights[get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int j = -r; j <= r; ++j)
    for (int i = -r; i <= r; ++i)
      sum += table[abs(i)] * in[(y + r + j) * w + x + r + i]; // HIT: each element of 'in' is read by several neighbouring
  out[y * w + x] = sum;
}

__kernel void staged_in_part(__global const float *in, __global float *out, int r) {
  __local float tile[256];
  int i = get_global_id(0), l = get_local_id(0);
  tile[l] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = tile[l];
  for (int k = -r; k <= r; ++k)
    sum += in[i + r + k]; // miss: a part of it is staged
  out[i] = sum;
}

// How far a window reaches is an argument among others.
__kernel void reach(__global const uchar *in, __global uchar *out, int w, int h, int n) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int sum = 0;
  if (n < at.x && at.x < w - n && n < at.y && at.y < h - n)
    for (int j = -n; j <= n; j++)
      for (int i = -n; i <= n; i++)
        sum += in[4 * (at.y * w + at.x) + 4 * (j * w + i)]; // HIT: each element of 'in' is read by several neighbouring
  out[at.y * w + at.x] = sum;
}

__kernel void reach_of_blocks(__global const uchar *in, __global uchar *out, int w, int h, int n) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int sum = 0;
  for (int j = -n; j <= n; j++)
    for (int i = -n; i <= n; i++)
      sum += in[(at.y * w + at.x) * (2 * n + 1) + i + n]; // miss: each has a stretch of its own
  out[at.y * w + at.x] = sum;
}

__kernel void first_of_the_group(__global const float *status, __global float *out) {
  __local float before;
  int group = get_group_id(0);
  if (get_local_id(0) == 0) {
    float sum = 0.0f;
    for (int j = group - 1; j >= 0; --j)
      sum += status[j]; // miss: one work-item of each group
    before = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = before;
}

// The border is only copied; the finding is at the access with most reuse.
__kernel void median(__global const uchar *in, __global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1), id = y * w + x;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
    out[id] = in[id]; // miss: the border
    return;
  }
  int a = in[id - w - 1] + in[id - w] + in[id - w + 1]; // HIT: is read by 9 neighbouring work-items
  int b = in[id - 1] + in[id] + in[id + 1];
  int c = in[id + w - 1] + in[id + w] + in[id + w + 1];
  out[id] = (a + b + c) / 9;
}

// Wrapped by a mask: the sizes are powers of two.
__kernel void wrapped_by_masks(__global const float *in, __global float *out) {
  uint w = get_global_size(0), h = get_global_size(1), x = get_global_id(0), y = get_global_id(1);
  float n = in[((y + 1) & (h - 1)) * w + x]; // HIT: each element of 'in' is read by several neighbouring work-items
  float s = in[((y - 1) & (h - 1)) * w + x];
  float e = in[y * w + ((x + 1) & (w - 1))];
  float o = in[y * w + ((x - 1) & (w - 1))];
  out[y * w + x] = n + s + e + o + in[y * w + x];
}

__kernel void own_by_masks(__global const float *in, __global float *out) {
  uint w = get_global_size(0), h = get_global_size(1), x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = in[(y & (h - 1)) * w + (x & (w - 1))]; // miss: its own element
}

// A loop that may end early goes over the same elements for all.
__kernel void first_few(__global const float4 *all, __global int *out, int n, float near) {
  int i = get_global_id(0), found = 0;
  float4 own = all[i];
  for (int j = 0; j < n && found < 8; ++j)
    if (distance(own, all[j]) < near) // HIT: each element of 'all' is read by all work-items, one after another in a loop
      ++found;
  out[i] = found;
}

__kernel void first_few_of_its_own(__global const float4 *all, __global int *out, int n, float near) {
  int i = get_global_id(0), found = 0;
  for (int j = 0; j < n && found < 8; ++j)
    if (length(all[i * n + j]) < near) // miss: a row of its own
      ++found;
  out[i] = found;
}

// What decides together is known, too.
__kernel void inside_at_once(__global const float *in, __global float *out, int2 size) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  if (any(at >= size))
    return;
  int2 from = clamp(at - 1, 0, size - 1), to = clamp(at + 1, 0, size - 1);
  float sum = 0;
  for (int y = from.y; y <= to.y; ++y)
    for (int x = from.x; x <= to.x; ++x)
      sum += in[y * size.x + x]; // HIT: each element of 'in' is read by several neighbouring work-items, in a loop
  out[at.y * size.x + at.x] = sum;
}

__kernel void inside_of_blocks(__global const float *in, __global float *out, int2 size) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  if (!all(at * 3 + 2 < size))
    return;
  float sum = 0;
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x)
      sum += in[(3 * at.y + y) * size.x + 3 * at.x + x]; // miss: each has nine of its own
  out[at.y * size.x + at.x] = sum;
}

// Windows of what is not missing, in rows as long as the launch.
__kernel void steepest(__global const int *height, __global int *least, int missing) {
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1, w = get_global_size(0) + 2;
  if (height[y * w + x] == missing) {
    least[y * w + x] = missing;
  } else {
    int lowest = 1 << 30;
    for (int k = 0; k < 9; ++k)
      lowest = min(lowest, height[(y + k / 3 - 1) * w + x + k % 3 - 1]); // HIT(powervr-rogue): each element of 'height' is read by several neighbouring work-items
    least[y * w + x] = lowest;
  }
}

__kernel void its_own(__global const int *height, __global int *least, int missing) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0) * 9;
  if (height[y * w + x * 9] != missing) {
    int lowest = 1 << 30;
    for (int k = 0; k < 9; ++k)
      lowest = min(lowest, height[y * w + x * 9 + k % 9]); // miss: nine of each work-item's own
    least[y * w + x] = lowest;
  }
}

// Little of the kernel's work.
__kernel void stencil_beside_a_loop(__global const float *in, __global float *out, __constant float *table) {
  int i = get_global_id(0);
  float sum = in[i] + in[i + 1] + in[i + 2]; // miss: three loads beside a thousand
  for (int k = 0; k < 1000; ++k)
    sum = sum * 0.5f + table[k];
  out[i] = sum;
}

// The texture cache holds what neighbours read.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void window_of_an_image(read_only image2d_t in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = read_imagef(in, edge, (int2)(i, 0)) + read_imagef(in, edge, (int2)(i + 1, 0)) // miss: an image
           + read_imagef(in, edge, (int2)(i + 2, 0));
}
