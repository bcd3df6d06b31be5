// RUN: %{python} %{expect} %s

__kernel void blur(__global const float *in, __global float *out) {
  __local float tile[66];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = in[g]; // HIT: 'tile' is a copy of 'in' in local memory
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[l] + tile[l ^ 1];
}

// The scratch is a parameter, and the halo is filled with zero.
__kernel void halo(__global const float *in, __global float *out, __local float *tile, int n) {
  int l = get_local_id(0), g = get_global_id(0);
  float v = g < n ? in[g] : 0.0f;
  tile[l + 1] = v; // HIT: 'tile' is a copy of 'in'
  if (l == 0)
    tile[0] = 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[l] + tile[l + 1];
}

__kernel void block(__global const float *in, __global float *out) {
  __local float tile[64];
  event_t e = async_work_group_copy(tile, in + 64 * get_group_id(0), 64, 0); // HIT: 'tile' is a copy of 'in'
  wait_group_events(1, &e);
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}

// Work-items exchange what they have computed: no copy.
__kernel void reduce(__global const float *in, __global float *out) {
  __local float part[64];
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)]; // miss: it is written again with sums
  for (int s = 32; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      part[l] += part[l + s];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    out[get_group_id(0)] = part[0];
}

__kernel void computed(__global const float *in, __global float *out) {
  __local float tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = in[g] * in[g]; // miss: a computed value is shared, not recomputed
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[l] + tile[63 - l];
}

// Without the copy a neighbour would read what was overwritten already.
__kernel void in_place(__global float *data) {
  __local float tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = data[g]; // miss: the source is written
  barrier(CLK_LOCAL_MEM_FENCE);
  data[g] = tile[63 - l];
}

__kernel void two_sources(__global const float *a, __global const float *b, __global float *out) {
  __local float tile[128];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = a[g]; // miss: two buffers meet in one array
  tile[l + 64] = b[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[127 - l];
}

// A box of a list: its start is uniform in the group. The index restarts in each iteration.
__kernel void boxes(__global const int *first, __global const float *in, __global float *out, int n) {
  __local float tile[100];
  int l = get_local_id(0), at = l;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    int begin = first[k];
    while (at < 100) {
      tile[at] = in[begin + at]; // HIT: 'tile' is a copy of 'in' in local memory
      at += 64;
    }
    at = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 100; ++j)
      sum += tile[j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}

__kernel void picked(__global const int *which, __global const float *in, __global float *out) {
  __local float tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = in[which[g]]; // HIT: 'tile' is a copy of 'in'
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[63 - l];
}

// In place, but all have read the copy before anybody writes.
__kernel void in_place_behind_a_barrier(__global float *a, int n) {
  __local float tile[66];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l + 1] = a[g]; // HIT: 'tile' is a copy of 'a'
  if (l == 0)
    tile[0] = g > 0 ? a[g - 1] : -1.0f;
  if (l == 63)
    tile[65] = g < n - 1 ? a[g + 1] : -1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = tile[l] + tile[l + 1] + tile[l + 2];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[g] = v;
}

// Floyd-Warshall by blocks: a row of blocks is copied, another block is written.
__kernel void another_block(__global float *d, int k, int n) {
  __local float row[16][16];
  int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
  row[y][x] = d[(k * 16 + y) * n + gx]; // HIT: 'row' is a copy of 'd'
  barrier(CLK_LOCAL_MEM_FENCE);
  float v = d[gy * n + gx];
  for (int i = 0; i < 16; ++i)
    v = min(v, row[i][x]);
  d[gy * n + gx] = v;
}

__kernel void transposed_in_place(__global float *d, int n) {
  __local float tile[16][16];
  int x = get_local_id(0), y = get_local_id(1), at = get_global_id(1) * n + get_global_id(0);
  tile[y][x] = d[at]; // miss: the very block that is written
  barrier(CLK_LOCAL_MEM_FENCE);
  d[at] = tile[x][y];
}

__kernel void border_of_an_argument(__global const float *in, __global float *out, int n, float border) {
  __local float tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = g < n ? in[g] : -border; // HIT: 'tile' is a copy of 'in'
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[63 - l];
}

__kernel void list(__global const float *in, __global float *out) {
  __local float tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = in[g]; // miss: marked when it has been read
  barrier(CLK_LOCAL_MEM_FENCE);
  if (tile[63 - l] < 0.0f)
    tile[l] = -1.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[l ^ 1];
}

__kernel void swapped(__global const int *in, __global int *out, __local int *a, __local int *b) {
  int l = get_local_id(0), n = get_local_size(0);
  a[l] = in[get_global_id(0)]; // miss: the buffers are swapped, so the copy is written
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 1; s < n; s *= 2) {
    b[l] = l < s ? a[l] : a[l] + a[l - s];
    barrier(CLK_LOCAL_MEM_FENCE);
    __local int *c = a;
    a = b;
    b = c;
  }
  out[get_global_id(0)] = a[l];
}

// Put together, taken apart, converted.
__kernel void parts(__global const float *in, __global const uchar2 *bytes, __global float *out) {
  __local float4 tile[64];
  __local float low[64], both[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = (float4)(in[4 * g], in[4 * g + 1], in[4 * g + 2], 0.0f); // HIT: 'tile' is a copy of 'in'
  uchar2 pair = bytes[g];
  low[l] = convert_float(pair.x);  // HIT: 'low' is a copy of 'bytes'
  both[l] = (float)(pair.x + pair.y); // miss: a sum is no copy
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[63 - l].x + low[63 - l] + both[63 - l];
}

__kernel void of_two(__global const float *x, __global const float *y, __global float *out) {
  __local float2 tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = (float2)(x[g], y[g]); // miss: of two buffers
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[63 - l].x + tile[l].y;
}

__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

__kernel void pixels(__read_only image2d_t in, __global float4 *out, int w) {
  __local float4 tile[16][16];
  __local float grey[16][16];
  int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);
  float4 pixel = read_imagef(in, nearest, (int2)(x, y));
  tile[ly][lx] = pixel;             // HIT: 'tile' is a copy of 'in'
  grey[ly][lx] = dot(pixel, pixel); // miss: something is computed
  barrier(CLK_LOCAL_MEM_FENCE);
  out[y * w + x] = tile[15 - ly][15 - lx] * grey[15 - ly][lx];
}

__kernel void never_read(__global const float *in, __global float *out, __local float *part) {
  int g = get_global_id(0);
  part[get_local_id(0)] = in[g]; // HIT: nobody reads it
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = in[g ^ 1];
}

__kernel void in_turn(__global const float *in, __global float *out, __local float *part) {
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)]; // miss: neighbours add to it
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l % 2 == 0)
    part[l] += part[l + 1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[l / 2];
}

__kernel void never_waited(__global const float *in, __global float *out, __local float *part) {
  int g = get_global_id(0);
  part[get_local_id(0)] = in[g]; // miss: there is no barrier
  out[g] = in[g ^ 1];
}

// Counters that each work-item keeps for itself.
__kernel void places(__global const uint *in, __global const uint *starts, __global uint *out, __local uint *next) {
  uint l = get_local_id(0), g = get_global_id(0);
  for (uint i = 0; i < 16; ++i)
    next[l * 16 + i] = starts[g * 16 + i]; // HIT: each work-item reads and changes its own elements alone
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < 16; ++i) {
    uint v = in[g * 16 + i], at = next[l * 16 + (v & 15)];
    out[at] = v;
    next[l * 16 + (v & 15)] = at + 1;
  }
}

__kernel void places_of_all(__global const uint *in, __global const uint *starts, __global uint *out, __local uint *next) {
  uint l = get_local_id(0), g = get_global_id(0);
  next[l] = starts[g]; // miss: others change it
  barrier(CLK_LOCAL_MEM_FENCE);
  uint v = in[g];
  out[next[v & 15]] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  next[l ^ 1] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = next[l];
}

// Fetched ahead, into variables of the work-item's own.
__kernel void ahead(__global const float *in, __global float *out, int n) {
  __local float tile[128], sums[128];
  float next[2], done[2];
  int l = get_local_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    next[0] = in[k * 128 + l];
    next[1] = in[k * 128 + l + 64];
    done[0] = next[0] * sum;
    done[1] = next[1];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l] = next[0]; // HIT: 'tile' is a copy of 'in'
    tile[l + 64] = next[1];
    sums[l] = done[0]; // miss: a product
    sums[l + 64] = done[1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 128; ++j)
      sum += tile[j] + sums[j];
  }
  out[get_global_id(0)] = sum;
}

// A halo of zeros, written as a variable that is set only inside.
__kernel void zero_outside(__global const float *in, __global float *out, int n) {
  __local float tile[66];
  int l = get_local_id(0), g = get_global_id(0);
  for (int x = l; x < 66; x += 64) {
    int at = g - l + x - 1;
    float v = 0.0f;
    if (at >= 0 && at < n)
      v = in[at];
    tile[x] = v; // HIT: 'tile' is a copy of 'in' in local memory
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[l] + tile[l + 1] + tile[l + 2];
}

__kernel void added_inside(__global const float *in, __global float *out, int n) {
  __local float tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  float v = 0.0f;
  for (int k = 0; k < n; ++k)
    v += in[k * 64 + g];
  tile[l] = v; // miss: a sum
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[63 - l];
}

__kernel void cleared_first(__global const float *in, __global float *out, int w) {
  __local float tile[64];
  int l = get_local_id(0), g = get_global_id(0);
  tile[l] = 0.0f; // miss: a number
  if (g < w)
    tile[l] = in[g]; // HIT(mali-midgard,mali-bifrost,mali-valhall): 'tile' is a copy of 'in' in local memory
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = tile[63 - l];
}
