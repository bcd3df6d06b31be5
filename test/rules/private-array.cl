// RUN: %{python} %{expect} %s
__kernel void data(__global const int *index, __global float *out) {
  int i = get_global_id(0);
  float table[4] = {1, 2, 4, 8};
  table[index[i] & 3] += 1.0f; // HIT: the private array 'table' is indexed by data
  out[i] = table[0];
}

__kernel void loop(__global float *out, int n) {
  float part[16];
  for (int k = 0; k < n; ++k)
    part[k] = k; // HIT: by a loop whose length is not known
  out[get_global_id(0)] = part[3];
}

__kernel void argument(__global float *out, int n) {
  float part[4];
  part[0] = part[1] = part[2] = part[3] = 1.0f;
  part[n] = 2.0f; // HIT: by an argument
  out[get_global_id(0)] = part[0];
}

__kernel void unrolled(__global float *out, __global const float *in) {
  float part[4];
  for (int k = 0; k < 4; ++k)
    part[k] = in[k]; // miss: four iterations
  out[get_global_id(0)] = part[3]; // miss: a constant
}

__kernel void locals(__global float *out) {
  __local float part[64];
  part[get_local_id(0)] = 1.0f; // miss: local memory
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[0];
}

__kernel void vectors(__global float4 *out) {
  float4 v = (float4)(0.0f);
  v.x = 1.0f; // miss: a vector's component
  out[get_global_id(0)] = v;
}

// A loop in another form, of numbers all the same.
__kernel void by_eights(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float line[16];
  int k = 0;
  for (; k + 4 <= 10; k += 4) {
    line[k] = in[i + k]; // miss: 0 and 4
    line[k + 1] = in[i + k + 1];
  }
  for (; k < 10; ++k)
    line[k] = in[i + k];
  out[i] = line[0] * line[9];
}

__kernel void by_eights_of_the_host(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float line[16];
  int k = 0;
  for (; k + 4 <= n; k += 4)
    line[k] = in[i + k]; // HIT: the private array 'line' is indexed by
  out[i] = line[0] * line[9];
}

__kernel void left_early(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float line[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  float v = 0.0f;
  for (int k = 0; k < 4; ++k) {
    if (line[k] > in[i]) // miss: four rounds at most
      break;
    v = line[k];
  }
  out[i] = v;
}

__kernel void goes_on(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0), k;
  float line[8], v = 0.0f;
  for (k = 0; k < 8; ++k)
    line[k] = in[i + k];
  for (int row = 0; row < n; ++row) {
    for (k = 0; k < 4; ++k)
      v += line[k];
    for (; k < 8; k += 2)
      v -= line[k]; // miss: from 4 on, in each row
  }
  out[i] = v;
}

__kernel void goes_on_and_on(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0), k = 0;
  float line[8] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f, 7.0f}, v = 0.0f;
  for (int row = 0; row < n; ++row) {
    v -= line[k & 7]; // HIT: the private array 'line' is indexed by
    k += 3;
  }
  out[i] = v;
}

__kernel void large(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float line[1024], v = 0.0f;
  for (int k = 0; k < 1024; ++k)
    line[k] = in[i + k]; // HIT: the private array 'line' is indexed by a loop, and larger than what registers hold
  for (int k = 0; k < 1024; ++k)
    v = v * line[1023 - k] + 1.0f;
  out[i] = v;
}

__kernel void small(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float line[16], v = 0.0f;
  for (int k = 0; k < 16; ++k)
    line[k] = in[i + k]; // miss: 64 bytes
  for (int k = 0; k < 16; ++k)
    v = v * line[15 - k] + 1.0f;
  out[i] = v;
}

// What cannot be seen elsewhere does not hide that data decide how far a counter is.
float4 jitter(uint *seed);
__kernel void visits(__global const float *in, __global float *out, __global uint *seeds) {
  int i = get_global_id(0), last = 1;
  uint seed = seeds[i];
  float found[8];
  found[0] = in[i];
  for (int k = 0; k < 7; ++k)
    if (in[i + k] > 0.5f)
      found[last++] = in[i + k] + jitter(&seed).x; // HIT: the private array 'found' is indexed by data
  out[i] = found[0] + found[1] + (float)last;
}

__kernel void visits_all(__global const float *in, __global float *out, __global uint *seeds) {
  int i = get_global_id(0), last = 1;
  uint seed = seeds[i];
  float found[8];
  found[0] = in[i];
  for (int k = 0; k < 7; ++k)
    found[last++] = in[i + k] + jitter(&seed).x; // miss: one in each iteration
  out[i] = found[0] + found[1] + (float)last;
}

// A loop with many iterations around one of unknown trip count is not unrolled.
__kernel void around_a_loop(__global const int *first, __global const float *in, __global float *out) {
  int i = get_global_id(0);
  int cells[27];
  float sum = 0.0f;
  for (int k = 0; k < 27; ++k)
    cells[k] = 3 * i + k * k;
  for (int k = 0; k < 27; ++k)
    for (int j = first[cells[k]]; j < first[cells[k] + 1]; ++j) // HIT: the private array 'cells' is indexed by a loop of 27 rounds around another one
      sum += in[j];
  out[i] = sum;
}

__kernel void around_a_short_loop(__global const int *first, __global const float *in, __global float *out) {
  int i = get_global_id(0);
  int cells[27];
  float sum = 0.0f;
  for (int k = 0; k < 27; ++k)
    cells[k] = 3 * i + k * k;
  for (int k = 0; k < 27; ++k)
    for (int j = 0; j < 4; ++j)
      sum += in[cells[k] + j]; // miss: four rounds
  out[i] = sum;
}

__kernel void hundreds(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float line[256], some[128], few[60], v = 0.0f;
  for (int k = 0; k < 256; ++k)
    line[k] = in[i + k]; // HIT: the private array 'line' is indexed by a loop, and larger than what registers hold: its 1024 bytes
  for (int k = 0; k < 128; ++k)
    some[k] = in[i - k]; // HIT(mali-midgard,mali-bifrost,mali-valhall): the private array 'some' is indexed by a loop, and larger than what registers hold: its 512 bytes
  for (int k = 0; k < 60; ++k)
    few[k] = in[i * k]; // miss: 240 bytes
  for (int k = 0; k < 128; ++k)
    v = v * line[255 - k] + some[k] * few[k % 3];
  out[i] = v;
}

__kernel void blocks(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  float block[SIZE * SIZE], v = 0.0f;
  for (int k = 0; k < SIZE * SIZE; ++k)
    block[k] = in[i + k]; // miss: the host determines the count
  for (int k = 0; k < SIZE * SIZE; ++k)
    v = v * 0.5f + block[k];
  out[i] = v;
}

// An array in a structure.
typedef struct {
  int count;
  int bins[32];
} Counts;

__kernel void own_counts(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  Counts c;
  c.count = 0;
  for (int k = 0; k < 32; ++k)
    c.bins[k] = 0;
  for (int k = 0; k < 100; ++k)
    c.bins[in[i + k] & 31] += 1; // HIT: the private array 'c.bins[]' is indexed by data: its 128 bytes go to memory
  out[i] = c.bins[3];
}

__kernel void known_counts(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  Counts c;
  c.count = 0;
  for (int k = 0; k < 32; ++k)
    c.bins[k] = in[i + k]; // miss: a loop of known length
  out[i] = c.bins[3] + c.count;
}
