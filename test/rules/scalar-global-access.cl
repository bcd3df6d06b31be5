// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=mali-t604 --checks=-*,scalar-global-access --option=scalar-global-access.MinAccesses=100 %s

__kernel void saxpy(__global const float *x, __global float *y, float a) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i]; // HIT: 'y' is read and written one float at a time // HIT: 'x' is read one float
}

__kernel void ints(__global int *out, int w) {
  int i = get_global_id(1) * w + get_global_id(0);
  out[i] = i; // HIT: 4 of 16 bytes of each access are used
}

#define ID get_global_id(0)
static float twice(__global const float *p) { return 2.0f * p[ID]; } // HIT: 'in' is read one float
__kernel void helper(__global const float *in, __global float4 *out) {
  out[ID] = (float4)(twice(in));
}

__kernel void tiles(__global float *out) {
  out[get_group_id(0) * get_local_size(0) + get_local_id(0)] = 1.0f; // HIT: neighbours in dimension 0
}

__kernel void vectors(__global float *x) {
  size_t i = get_global_id(0);
  vstore4(vload4(i, x), i, x); // miss: vectors
}

__kernel void elements(__global float4 *x) {
  size_t i = get_global_id(0);
  x[i] = x[i] * 2.0f; // miss: vector elements
}

__kernel void rows(__global const float *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += in[i * n + k]; // miss: a row for each work-item
  out[i] = (float4)(sum);
}

__kernel void doubles(__global double *x) {
  x[get_global_id(0)] *= 2.0; // miss: 64-bit elements
}

__kernel void bytes(__global uchar *x) {
  x[get_global_id(0)] = 1; // miss: 8-bit elements belong to scalar-byte-load
}

__kernel void strided(__global float *x) {
  x[2 * get_global_id(0)] = 1.0f; // miss: every other element
}

typedef struct { float a, b; } Pair;
__kernel void fields(__global Pair *p) {
  p[get_global_id(0)].a = 1.0f; // miss: the field of a struct
}

__kernel void counter(__global int *n) {
  atomic_inc(&n[get_global_id(0)]); // miss: atomics have no vector form
}

// Which tile, by a division of the group's number: neighbours are neighbours all the same.
__kernel void tile_numbers(__global float *out, int across) {
  int z = get_group_id(0) / across;
  int x = get_local_id(0) + (get_group_id(0) - z * across) * get_local_size(0);
  out[x + z * 64] = 1.0f; // HIT: 'out' is written one float at a time
}

typedef struct { int strides[4]; int offset; } Shape;
__kernel void shaped(__global float *out, Shape s) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x + y * s.strides[1] + s.offset] = 1.0f; // HIT: 'out' is written one float at a time
}

__kernel void shaped_everywhere(__global float *out, Shape s) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * s.strides[0] + y * s.strides[1]] = 1.0f; // miss: the stride within a row is unknown
}

__kernel void shaped_in_memory(__global float4 *out, __global const float *in, __global const Shape *s) {
  int x = get_global_id(0);
  out[x] = (float4)(in[x + s[x].offset]); // miss: the index comes from memory
}

// Each group a region of its own, walked with the group's stride.
__kernel void regions(__global const float *in, __global float4 *out, int n) {
  int region = ((n / 4) / get_num_groups(0)) * 4;
  int i = get_group_id(0) * region + get_local_id(0);
  int stop = (get_group_id(0) + 1) * region;
  float sum = 0.0f;
  while (i < stop) {
    sum += in[i]; // HIT: 'in' is read one float at a time
    i += get_local_size(0);
  }
  out[get_global_id(0)] = (float4)(sum);
}

// A value written to an image is read like any other.
__kernel void to_image(__global const float *in, __write_only image2d_t out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(out, (int2)(x, y), (float4)(in[y * w + x])); // HIT: 'in' is read one float at a time
}

__kernel void pixels_to_image(__global const float4 *in, __write_only image2d_t out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(out, (int2)(x, y), in[y * w + x]); // miss: whole vectors
}

__kernel void from_image(__read_only image2d_t in, __global float *out, int w) {
  const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int x = get_global_id(0), y = get_global_id(1);
  out[y * w + x] = read_imagef(in, nearest, (int2)(x, y)).x; // HIT: 'out' is written one float at a time
}

__kernel void rows_of_an_image(__read_only image2d_t picture, __global const float *in, __global float *out) {
  int2 size = get_image_dim(picture);
  int x = get_global_id(0), y = get_global_id(1);
  out[y * size.x + x] = in[y * size.x + x]; // HIT: 'out' is written one float at a time // HIT: 'in' is read one float at a time
}

__kernel void at_pixels(__read_only image2d_t picture, sampler_t s, __global const float *in, __global float *out) {
  int4 p = read_imagei(picture, s, (int2)(get_global_id(0), 0));
  out[p.x + get_global_id(0)] = 1.0f; // miss: the index comes from a pixel
  out[p.y * 4] = in[p.x]; // miss: the index comes from a pixel
}

// Neighbours are adjacent except at the ends of rows.
__kernel void rows_of_a_flat_id(__global const float *in, __global float *out, int w, int pitch) {
  int i = get_global_id(0), y = i / w, x = i % w;
  out[y * pitch + x] = 1.0f; // HIT: 'out' is written one float at a time
}

__kernel void pairs(__global const float *in, __global float4 *out) {
  int i = get_global_id(0);
  out[i] = (float4)in[i / 2]; // miss: two have the same
}

__kernel void fours(__global const float *in, __global float4 *out, int pitch) {
  int i = get_global_id(0);
  out[i] = (float4)in[i / 4 * pitch + i % 4]; // miss: four in a row, and another row
}

__kernel void clamped(__global const float *in, __global float *out, int w) {
  int x = min((int)get_global_id(0) + 1, w - 1), y = get_global_id(1);
  out[2 * (y * w + get_global_id(0))] = in[y * w + x]; // HIT: 'in' is read one float at a time
}

__kernel void halved(__global const float *in, __global float *out, int w) {
  int x = min((int)get_global_id(0) / 2, w - 1), y = get_global_id(1);
  out[2 * (y * w + get_global_id(0))] = in[y * w + x]; // miss: pairs read one element
}

// A window that is longer than the launch is tried out with.
__kernel void long_window(__global const float *in, __global float4 *out, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  float sum = 0.0f;
  for (int k = -50; k <= 50; ++k)
    sum += in[clamp(x + k, 0, w - 1) + y * w]; // HIT: 'in' is read one float at a time
  out[y * w + x] = (float4)sum;
}

__kernel void clamped_to_each_other(__global const float *in, __global float4 *out, int w) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = -50; k <= 50; ++k)
    sum += in[clamp(x + k, x, w - x)]; // miss: the bounds move, too
  out[x] = (float4)sum;
}

// An array of the work-item's that holds places.
__kernel void two_rows(__global const uint *in, __global uint4 *out, int w) {
  int x = get_global_id(0), y = get_global_id(1), at[2];
  at[0] = 2 * y * w + x;
  at[1] = (2 * y + 1) * w + x;
  out[y * w + x] = (uint4)(in[at[0]] + in[at[1]]); // HIT: 'in' is read one uint at a time
}

__kernel void a_row_chosen_by_data(__global const uint *in, __global uint4 *out, int w) {
  int x = get_global_id(0), y = get_global_id(1), at[2];
  at[0] = 2 * y * w + x;
  at[out[0].x & 1] = out[x].y;
  out[y * w + x] = (uint4)(in[at[0]]); // miss: the stored value is unknown
}

__kernel void planes_first(__global float *a, int w, int plane) {
  int z = get_global_id(0), y = get_global_id(1), x = get_global_id(2);
  a[z * plane + y * w + x] = 1.0f; // miss: neighbours are planes apart
}

// Which of two buffers it is, changes nothing of how they are walked.
__kernel void swapped(__global int *a, __global int *b, int n) {
  int id = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    b[id] = 2 * a[id]; // HIT: 'b' is written one int at a time // HIT: 'a' is read one int at a time
    barrier(CLK_GLOBAL_MEM_FENCE);
    __global int *c = a;
    a = b;
    b = c;
  }
}

__kernel void swapped_far(__global int *a, __global int *b, int n) {
  int id = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    b[id * n] = 2 * a[id * n]; // miss: neighbours are apart
    barrier(CLK_GLOBAL_MEM_FENCE);
    __global int *c = a;
    a = b;
    b = c;
  }
}

__kernel void swapped_rows(__global int *a, __global int *b, int n) {
  int id = get_global_id(0);
  for (int k = 0; k < n; ++k) {
    b[id * 64] = 2 * a[id * 64]; // miss: 256 bytes apart
    barrier(CLK_GLOBAL_MEM_FENCE);
    __global int *c = a;
    a = b;
    b = c;
  }
}

// A loop over the components of a pixel.
__kernel void by_channel(__global const float *in, __global float *out, int w) {
  int at = 4 * (get_global_id(1) * w + get_global_id(0));
  for (int c = 0; c < 4; c++)
    out[at + c] = in[at + c] * 2.0f; // HIT: 'out' is written one float // HIT: 'in' is read one float
}

__kernel void three_channels_of_four(__global float *out, int w) {
  int at = 4 * (get_global_id(1) * w + get_global_id(0));
  for (int c = 0; c < 3; c++)
    out[at + c] *= 2.0f; // miss: the fourth is left out
}

__kernel void by_component(__global float4 *out, float a) {
  int i = get_global_id(0);
  float4 v = out[i];
  out[i].x = a * v.x - v.y; // HIT: 'out.x' is written one float at a time
  out[i].y = a * v.y + v.x;
  out[i].z = a * v.z;
}

__kernel void one_component(__global float4 *out, float a) {
  int i = get_global_id(0);
  float4 v = out[i];
  out[i].w = a * v.w - v.y; // miss: a vector is loaded whole, and one of its components changed
}

// Rows begin where memory says, and several work-items share one.
__kernel void rows_by_teams(__global const int *starts, __global const float *data, __global float *out, int team) {
  int id = get_global_id(0), row = id / team, lane = id % team;
  float sum = 0.0f;
  for (int k = starts[row] + lane; k < starts[row + 1]; k += team)
    sum += data[k]; // HIT: 'data' is read one float at a time
  out[2 * id] = sum;
}

__kernel void rows_of_their_own(__global const int *starts, __global const float *data, __global float *out) {
  int id = get_global_id(0);
  float sum = 0.0f;
  for (int k = starts[2 * id]; k < starts[2 * id + 1]; k++) // HIT: 'starts' is read one int
    sum += data[k]; // miss: neighbours are a row apart
  out[2 * id] = sum;
}

// Where all is walked down the columns, that is to be mended first.
__kernel void down_the_columns(__global const float *in, __global float *out, int w) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = in[y * w + x] * 2.0f; // miss: neighbours in dimension 0 are a row apart
}

__kernel void of_dimension_1_alone(__global const float *in, __global float *out) {
  int x = get_global_id(1);
  out[x] = in[x] * 2.0f; // HIT: neighbours in dimension 1 are contiguous // HIT: 'in' is read one float
}

// What one work-item takes together, wherever its neighbours are.
__kernel void points(__global const float *p, __global const int *order, __global float *out) {
  int at = order[get_global_id(0)] * 3; // HIT: 'order' is read one int at a time
  float x = p[at] * 2.0f; // HIT: 'p' is read float by float, although a work-item takes 3 that are adjacent
  float y = p[at + 1] * 3.0f;
  float z = p[at + 2] * 4.0f;
  out[get_global_id(0)] = x + y * z; // HIT: 'out' is written one float at a time
}

__kernel void two_of_points(__global const float *p, __global const int *order, __global float4 *out) {
  int at = order[get_global_id(0) * 5] * 2;
  float x = p[at] * 2.0f; // miss: two of them
  float y = p[at + 1] * 3.0f;
  out[get_global_id(0)] = (float4)(x + y);
}

__kernel void three_corners(__global const float *p, __global const int *order, __global float4 *out) {
  int at = order[get_global_id(0) * 5];
  float x = p[at] * 2.0f; // miss: they are not adjacent
  float y = p[at + 100] * 3.0f;
  float z = p[at + 200] * 4.0f;
  out[get_global_id(0)] = (float4)(x + y * z);
}

__kernel void totals(__global const float *p, __global float4 *out) {
  if (get_global_id(0) == 0)
    out[0] = (float4)(p[7] + p[8] * p[9]); // miss: one work-item takes them
}

// One work-item, whose writes are all adjacent.
__kernel void parameters(__global float *p, float scale) {
  p[0] = scale; // HIT: 'p' is written float by float, although a work-item takes 4 that are adjacent
  p[1] = 2.0f * scale;
  p[2] = 3.0f * scale;
  p[3] = 4.0f * scale;
}

__kernel void parametersOfEach(__global float *p, __global float4 *q, float scale) {
  q[get_global_id(0)] = (float4)(scale);
  p[0] = scale; // miss: every work-item writes the same
  p[1] = 2.0f * scale;
  p[2] = 3.0f * scale;
  p[3] = 4.0f * scale;
}

// Where the rows begin, an argument says.
__kernel void begins_by_argument(__global int *ba_in, __global int *ba_out, int w, int first) {
  int at = get_global_id(0) + get_global_id(1) * w;
  if (first == 0)
    at -= w;
  ba_out[at] = ba_in[at * w] * 2; // HIT: 'ba_out' is written one int at a time
}

__kernel void begins_by_id(__global int *bi_in, __global int *bi_out, int w) {
  int at = get_global_id(0) + get_global_id(1) * w;
  if (get_global_id(0) % 3 == 0)
    at -= w;
  bi_out[at] = bi_in[at * w] * 2; // miss: by an id, so neighbours may be apart
}

// A row of a sparse matrix for 64 work-items, which a mask numbers.
__kernel void sparse_by_mask(__global const int *first, __global const float *val, __global float *sums, int n) {
  int id = get_global_id(0), lane = id & 63, row = id >> 6;
  float sum = 0.0f;
  for (int k = first[row] + lane; k < first[row + 1]; k += 64)
    sum += val[k]; // HIT: 'val' is read one float at a time
  if (row < n)
    sums[id * 2] = sum; // miss: every other one
}

__kernel void few_by_mask(__global const float *val, __global float *sums) {
  int id = get_global_id(0), lane = id & 3;
  sums[id * 2] = val[(id >> 2) * 64 + lane]; // miss: neighbours are in other rows
}
