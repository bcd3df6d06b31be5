// RUN: %{python} %{expect} %s
// Cooperation within a group or of all groups: many writes to one element, group copies, iterations without a barrier.

const sampler_t nearest = CLK_FILTER_NEAREST | CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE;

__kernel void halves(__global const uint *in, __global uchar *out, int w) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint v = in[at.x + at.y * w];
  at /= 2;
  out[at.x + at.y * w] = v / 4; // HIT: two work-items write to one element of 'out'
}

__kernel void doubles(__global const uint *in, __global uchar *out, int w) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint v = in[at.x + at.y * w];
  at *= 2;
  out[at.x + at.y * 2 * w] = v / 4; // miss: each has an element of its own
}

__kernel void halves_of_a_picture(read_only image2d_t in, __global uchar *out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  uint4 v = read_imageui(in, nearest, at);
  at /= 2;
  out[at.x + at.y * get_global_size(0)] = v.x; // HIT: two work-items write to one element of 'out'
}

__kernel void one_pixel_for_all_four(read_only image2d_t in, __global uchar *out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1)) / 2;
  uint4 v = read_imageui(in, nearest, at);
  out[at.x + at.y * get_global_size(0)] = v.x; // miss: the four of them write the same value
}

__kernel void copied_at_once(__global float *out, __local float *part) {
  int l = get_local_id(0);
  part[l] = l;
  event_t done = async_work_group_copy(out + get_group_id(0) * 64, part, 64, 0); // HIT: the group copies 'part' while its work-items may still write
  wait_group_events(1, &done);
}

__kernel void copied_behind_a_barrier(__global float *out, __local float *part) {
  int l = get_local_id(0);
  part[l] = l; // miss: a barrier lies between
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t done = async_work_group_copy(out + get_group_id(0) * 64, part, 64, 0);
  wait_group_events(1, &done);
}

__kernel void copied_over(__global const float *in, __global float *out, __local float *tile, int n) {
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    event_t done = async_work_group_copy(tile, in + t * 64, 64, 0); // HIT: the next round's copy to 'tile' begins while
    wait_group_events(1, &done);
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
  }
  out[get_global_id(0)] = sum;
}

__kernel void copied_in_turn(__global const float *in, __global float *out, __local float *tile, int n) {
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    event_t done = async_work_group_copy(tile, in + t * 64, 64, 0); // miss: a barrier ends the iteration
    wait_group_events(1, &done);
    for (int k = 0; k < 64; ++k)
      sum += tile[k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

__kernel void copied_by_halves(__global const float *in, __global float *out, __local float *tile, int n) {
  float sum = 0.0f;
  for (int t = 0; t < n; ++t) {
    event_t done = async_work_group_copy(tile + (t & 1) * 64, in + t * 64, 64, 0); // miss: two halves alternate
    wait_group_events(1, &done);
    for (int k = 0; k < 64; ++k)
      sum += tile[(t & 1) * 64 + k];
  }
  out[get_global_id(0)] = sum;
}

// Short data take one iteration, which does not show what a second one would do.
__kernel void rounds(__global const float *in, __global float *out, int n) {
  __local float tile[256];
  int l = get_local_id(0);
  float sum = 0.0f;
  for (int t = 0; t < (n - 1) / 16 + 1; ++t) {
    tile[l] = in[t * 16 + l]; // HIT: two work-items write and read one element of 'tile'
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < get_local_size(0); ++k)
      sum += tile[k];
  }
  out[get_global_id(0)] = sum;
}

__kernel void rounds_with_barriers(__global const float *in, __global float *out, int n) {
  __local float tile[256];
  int l = get_local_id(0);
  float sum = 0.0f;
  for (int t = 0; t < (n - 1) / 16 + 1; ++t) {
    tile[l] = in[t * 16 + l]; // miss: a barrier ends the iteration
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < get_local_size(0); ++k)
      sum += tile[k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

// Small data leave one work-item: that many do not meet there is no proof.
__kernel void moves_on(__global double *a, uint n, int length) {
  int id = get_global_id(0);
  for (int i = length; i > 0; i--) {
    int at = id * length + i;
    if (0 < at && at < n)
      a[at] = a[at - 1]; // HIT: two work-items write and read one element of 'a'
  }
}

__kernel void moves_on_in_its_own(__global double *a, uint n, int length) {
  int id = get_global_id(0);
  for (int i = length - 1; i > 0; i--) {
    int at = id * length + i;
    if (0 < at && at < n)
      a[at] = a[at - 1]; // miss: the first of its own is read, and the last of the one before is not
  }
}

// A barrier orders a group, and no other.
__kernel void bodies(__global float4 *at, __global float4 *speed, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  for (int k = 0; k < n; ++k)
    if (k != i)
      speed[i] += at[k] - at[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  at[i] += speed[i]; // HIT: two work-items write and read one element of 'at'
}

__kernel void bodies_of_a_group(__global float4 *at, __global float4 *speed, int n) {
  int i = get_local_id(0);
  for (int k = 0; k < n; ++k)
    if (k != i)
      speed[i] += at[k] - at[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  at[i] += speed[i]; // miss: launched with a single group
}

__kernel void bodies_of_two(__global float4 *at, __global float4 *next, __global float4 *speed, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; ++k)
    if (k != i)
      speed[i] += at[k] - at[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  next[i] = at[i] + speed[i]; // miss: into another buffer
}

// Buffers that are swapped after each iteration.
__kernel void scan(__global int *a, __global int *b) {
  int id = get_global_id(0);
  __global int *c;
  for (int s = 1; s < get_global_size(0); s *= 2) {
    b[id] = a[id];
    if (id >= s)
      b[id] += a[id - s]; // HIT: what is read through 'a' was written by work-items of other groups in the round before
    barrier(CLK_GLOBAL_MEM_FENCE);
    c = a; a = b; b = c;
  }
}

__kernel void scan_of_a_group(__global int *a, __global int *b) {
  int id = get_local_id(0);
  __global int *c;
  for (int s = 1; s < get_local_size(0); s *= 2) {
    b[id] = a[id];
    if (id >= s)
      b[id] += a[id - s]; // miss: there is one group
    barrier(CLK_GLOBAL_MEM_FENCE);
    c = a; a = b; b = c;
  }
}

__kernel void each_its_own(__global int *a, __global int *b, int n) {
  int id = get_global_id(0);
  __global int *c;
  for (int k = 0; k < n; ++k) {
    b[id] = 2 * a[id]; // miss: no other work-item accesses it
    barrier(CLK_GLOBAL_MEM_FENCE);
    c = a; a = b; b = c;
  }
}

__kernel void from_either_end(__global float *x, int n) { // launched for a half of them
  int i = get_global_id(0);
  x[i] = x[i] * 2.0f; // miss: the other half is another's
  x[n - (i + 1)] = x[n - (i + 1)] * 2.0f; // miss
}

__kernel void from_its_neighbour(__global float *x, int n) {
  int i = get_global_id(0);
  x[i] = x[(i + 1) % n] * 2.0f; // HIT: two work-items write and read one element of 'x'
}

__kernel void checkerboard(__global float *x) { // of as many cells as a power of two says
  uint n = 2 * get_global_size(0), m = get_global_size(1);
  uint j = get_global_id(1), i = (2 * get_global_id(0) + (j & 1)) & (n - 1);
  float v = x[j * n + ((i + 1) & (n - 1))] + x[((j + 1) & (m - 1)) * n + i];
  x[j * n + i] += v; // miss: neighbours are of the other colour
}

// A tree that compares, and stores where the data say.
__kernel void least(__global const float *in, __global float *out, __local float *t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  for (int reach = get_local_size(0) / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < reach && t[l] > t[l + reach])
      t[l] = t[l + reach]; // HIT: write and read one element of 't'
  }
  out[get_global_id(0)] = in[get_global_id(0)] - t[0];
}

__kernel void where_least(__global const float *in, __global float *out, __local float *t, __local int *at) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  at[l] = l;
  for (int reach = get_local_size(0) / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < reach) {
      float mine = t[l], theirs = t[l + reach];
      if (theirs < mine) {
        t[l] = theirs; // miss: only work-items of the tree read it
        at[l] = at[l + reach]; // HIT: write and read one element of 'at'
      }
    }
  }
  out[get_global_id(0)] = at[0];
}

__kernel void least_in_the_end(__global const float *in, __global float *out, __local float *t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  for (int reach = get_local_size(0) / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < reach && t[l] > t[l + reach])
      t[l] = t[l + reach]; // miss: a barrier precedes the read
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = in[get_global_id(0)] - t[0];
}

__kernel void least_of_one(__global const float *in, __global float *out, __local float *t) {
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  for (int reach = get_local_size(0) / 2; reach > 0; reach /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < reach && t[l] > t[l + reach])
      t[l] = t[l + reach]; // miss: the same work-item wrote and reads it
  }
  if (l == 0)
    out[get_group_id(0)] = t[0];
}

__kernel void exchange(__global float *x, __local float *t) {
  int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  float mine = t[l], theirs = t[l ^ 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (mine < theirs) {
    t[l] = theirs; // miss: of two that exchange, one finds that they are out of order
    t[l ^ 1] = mine;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = t[l];
}
