// RUN: %{python} %{expect} %s
//
// Places that data choose: two work-items may choose one, or the list says that they do not.

typedef struct {
  int from, to;
} Edge;

__kernel void cells(__global const float *x, __global const float *y, __global const float *q, __global float *grid, float d,
                    int w) {
  int p = get_global_id(0), i = (int)(x[p] / d), j = (int)(y[p] / d);
  grid[j * w + i] += q[p]; // HIT: where the data of two work-items name one element of 'grid', both update it
}

__kernel void given_cells(__global const int *cell, __global float *grid) {
  grid[cell[get_global_id(0)]] *= 0.5f; // miss: a list of which elements there are
}

__kernel void both_ends(__global const Edge *edges, __global const float *x, __global float *force) {
  int e = get_global_id(0), i = edges[e].from, j = edges[e].to;
  float f = x[i] - x[j];
  force[i] -= f; // HIT: both update it
  force[j] += f;
}

__kernel void one_end(__global const Edge *edges, __global const float *x, __global float *force) {
  int e = get_global_id(0), i = edges[e].from, j = edges[e].to;
  force[i] -= x[i] - x[j]; // miss: of one end, and nothing of the edge's own is added up
}

__kernel void own_bins(__global const float *x, __global float *grid) {
  int p = get_global_id(0);
  grid[p * 16 + (int)(x[p] * 16.0f)] += 1.0f; // miss: bins of its own
}

__kernel void neighbours(__global const int *first, __global const int *edges, __global int *cost, __global int *seen) {
  int v = get_global_id(0);
  for (int k = first[v]; k < first[v + 1]; ++k) {
    int to = edges[k];
    cost[to] = v; // HIT: both write to it, and nothing orders them
    seen[to] = 1; // miss: the same number
  }
}

__kernel void moved(__global const int *first, __global const int *to, __global const int *in, __global int *out) {
  int v = get_global_id(0);
  for (int k = 0; k < 4; ++k)
    out[to[4 * v + k]] = in[4 * v + k]; // miss: a permutation
}

__kernel void hashed(__global const uint *keys, __global uint *table) {
  uint i = get_global_id(0);
  table[keys[i] & 1023] = i; // HIT: both write to it
}

__kernel void placed(__global const uint *at, __global uint *table) {
  uint i = get_global_id(0);
  table[at[i]] = i; // miss: a permutation
}

__kernel void queued(__global const uint *keys, __global uint *count, __global uint *table) {
  uint i = get_global_id(0), bin = keys[i] & 15;
  table[atomic_inc(&count[bin])] = keys[i]; // miss: an atomic keeps them apart
}

__kernel void united(__global int *parent, __global const Edge *edges) {
  int e = get_global_id(0), a = parent[edges[e].from], b = parent[edges[e].to];
  if (a < b)
    parent[b] = a; // HIT: 'parent', both write to it
}

__kernel void by_key(__global const int *order, __global int *parent) {
  int i = order[get_global_id(0)];
  parent[i] = 2 * i; // miss: an order
}

__kernel void splat(__global const float4 *points, __global float *depth, int w) {
  float4 p = points[get_global_id(0)];
  int at = (int)p.y * w + (int)p.x;
  if (p.z < depth[at])
    depth[at] = p.z; // HIT: 'depth', both
}

__kernel void indexed(__global const float4 *points, __global float *out) {
  float4 p = points[get_global_id(0)];
  out[(int)p.w] = p.x; // miss: a number that was stored as a float
}

// What a condition on the data compares.
__kernel void bubbles(__global int *x, int n) {
  int i = get_global_id(0);
  if (i < n - 1 && x[i] > x[i + 1])
    x[i + 1] = x[i]; // HIT: write and read one element of 'x'
}

__kernel void marked(__global int *x, __global const int *mark) {
  int i = get_global_id(0);
  if (mark[i])
    x[i] = x[i] + 1; // miss: its own
}

// Numbers that are the same for all come from memory, too.
__kernel void rows(__global const float *size, __global const float *depth, __global float *out) {
  float w = size[0];
  int x = get_global_id(0), y = get_global_id(1), at = y * w + x;
  out[at] = depth[at] * size[1]; // miss: the length of a row was loaded
}

// Bits of one word, where data say so.
__kernel void bits(__global uint *words, __global const int *in) {
  int i = get_global_id(0);
  if (in[i] > 0)
    words[i / 32] |= 1u << (i % 32); // HIT: update one element of 'words', and not atomically
}

__kernel void bytes(__global uchar *marks, __global const int *in) {
  int i = get_global_id(0);
  if (in[i] > 0)
    marks[i] |= 1u; // miss: its own
}
