// RUN: %{python} %{expect} %s
// RUN: clmali-lint --device=powervr --checks=-*,strided-local-access --option=strided-local-access.MinConflict=17 %s

#define USE(x) out[get_global_id(0)] = x
__kernel void sixteen(__global float *out) {
  __local float part[1024];
  int l = get_local_id(0);
  part[l * 16] = l; // HIT: 16-way bank conflict, 6.25 % of the throughput
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[0]);
}

__kernel void two(__global float *out) {
  __local float part[1024];
  part[2 * get_local_id(0)] = 1.0f; // HIT: 2-way bank conflict, 50 %
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[0]);
}

// A column of a tile.
__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void column(__global float *out) {
  __local float tile[16][16];
  tile[get_local_id(0)][get_local_id(1)] = 1.0f; // HIT: 16-way
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(tile[0][0]);
}

// Bytes are padded to 32 bits, so 16 of them are 64 bytes apart.
__kernel void padded(__global float *out) {
  __local uchar part[1024];
  part[get_local_id(0) * 16] = 1; // HIT: 16-way
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[0]);
}

__kernel void one(__global float *out) {
  __local float part[64];
  part[get_local_id(0)] = 1.0f; // miss: consecutive
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[63 - get_local_id(0)]); // miss: consecutive, backwards
}

__kernel void vectors(__global float *out) {
  __local float4 part[64];
  part[get_local_id(0)] = (float4)(1.0f); // miss: 128 bits each, consecutive
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[0].x); // miss: one address for all
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void row(__global float *out) {
  __local float tile[16][16];
  tile[get_local_id(1)][get_local_id(0)] = 1.0f; // miss: a row
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(tile[0][0]);
}

__kernel void single(__global float *out) {
  __local float part[1024];
  int l = get_local_id(0);
  if (l == 0)
    part[l * 16] = 1.0f; // miss: one work-item
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[0]);
}

__kernel void global_stride(__global float *out) {
  out[get_global_id(0) * 16] = 1.0f; // miss: global memory has no banks
}

// A scan up the tree: the stride is 2 at first, and doubles.
__kernel void scan(__local float *tree, __global float *out, int n) {
  int l = get_local_id(0), offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d)
      tree[offset * (2 * l + 2) - 1] += tree[offset * (2 * l + 1) - 1]; // HIT(powervr-rogue): 2 elements apart, and twice as far in each iteration
    offset *= 2;
  }
  USE(tree[l]);
}

__kernel void scan_of_neighbours(__local float *tree, __global float *out, int n) {
  int l = get_local_id(0), offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d)
      tree[l] += tree[l + offset]; // miss: neighbours stay neighbours
    offset *= 2;
  }
  USE(tree[l]);
}

__kernel void given(__local float *tree, __global float *out, int offset) {
  int l = get_local_id(0);
  tree[offset * l] = 1.0f; // miss: an argument may be odd
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(tree[l]);
}

// Rows that are padded already; those of 16 elements are not.
__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void padded_rows(__global const float *in, __global float *out, int n) {
  __local float tile[16][17];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * n + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0) * n + get_global_id(1)] = tile[x][y]; // miss: no other distance would be better
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void rows(__global const float *in, __global float *out, int n) {
  __local float tile[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * n + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0) * n + get_global_id(1)] = tile[x][y]; // HIT: 16 elements apart
}

// A vector of bytes is a word, as far as anybody knows.
__kernel void components(__global const uchar4 *in, __global float *out) {
  __local uchar4 part[64];
  int l = get_local_id(0);
  part[l].x = in[get_global_id(0)].x; // miss: words one behind the other
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[63 - l].x); // miss: the same
}

__kernel void components_of_words(__global const float4 *in, __global float *out) {
  __local float4 part[64];
  int l = get_local_id(0);
  part[l].x = in[get_global_id(0)].x; // HIT: 4 elements apart: 4-way
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[63 - l].x);
}

// A flat id is divided into row and column.
__kernel void rows_of_eight(__global float *out) {
  __local float part[32][8];
  int l = get_local_id(0), row = l / 8, column = l % 8;
  part[row * 8 + column][0] = l; // HIT: 8 elements apart: 8-way
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[row][column]); // miss: one behind the other
}

__kernel void turned(__global float *out) {
  __local float part[16][16];
  uint l = get_local_id(0), row = l >> 4, column = l & 15;
  part[row][column] = l; // miss: one behind the other
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[column][row]); // HIT: 16 elements apart
}

__kernel void divided_otherwise(__global float *out, int width) {
  __local float part[64][8];
  int l = get_local_id(0);
  part[l % width][0] = l; // miss: it may be 1
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[0][l / 64]); // miss: one address for all
}

__kernel void rows_apart(__global float *out) {
  __local float part[16][24];
  int l = get_local_id(0);
  part[l / 8][l % 8] = l; // miss: most are one behind the other
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(part[0][0]);
}

__kernel void tree_of_multiples(__local float *tree, __global float *out) {
  int l = get_local_id(0);
  for (int s = 1; s < (int)get_local_size(0); s *= 2) {
    if (l % (2 * s) == 0)
      tree[l] += tree[l + s]; // HIT(powervr-rogue): 2 elements apart, and twice as far in each iteration
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  USE(tree[l]);
}

__kernel void tree_of_masks(__local float *tree, __global float *out) {
  uint l = get_local_id(0);
  for (uint s = 1; s < get_local_size(0); s <<= 1) {
    if (!(l & (2 * s - 1)))
      tree[l] += tree[l + s]; // HIT(powervr-rogue): 2 elements apart, and twice as far in each iteration
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  USE(tree[l]);
}

__kernel void tree_of_the_rest(__local float *tree, __global float *out) {
  int l = get_local_id(0);
  for (int s = 1; s < (int)get_local_size(0); s *= 2) {
    if (l % (2 * s) != 0)
      tree[l] += 1.0f; // miss: those that are no multiples, and most are not
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  USE(tree[l]);
}

__kernel void every_nth(__local float *tree, __global float *out, int n) {
  int l = get_local_id(0);
  if (l % n == 0)
    tree[l] = 1.0f; // miss: an argument may be odd
  barrier(CLK_LOCAL_MEM_FENCE);
  USE(tree[l]);
}
