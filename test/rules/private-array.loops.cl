// RUN: %{python} %{expect} %s
// How many dimensions there are, the launch says.
__kernel void dimensions(__global const int *in, __global int *out) {
  int at[3] = {0, 0, 0};
  uint n = get_work_dim();
  for (uint d = 0; d < n; ++d)
    at[d] = get_global_id(d); // HIT: the private array 'at' is indexed by a loop whose length is not known
  out[at[0]] = in[at[0] + at[1] + at[2]];
}

__kernel void three_dimensions(__global const int *in, __global int *out) {
  int at[3] = {0, 0, 0};
  for (uint d = 0; d < 3; ++d)
    at[d] = get_global_id(d); // miss: three
  out[at[0]] = in[at[0] + at[1] + at[2]];
}

// Built-ins that give back two results change one variable more, and no other.
float noise(float2 *seed) {
  float whole;
  *seed += (float2)(1.0f, 3.0f);
  return fract((*seed).x * 43758.5f + (*seed).y, &whole);
}

__kernel void bounces(__global const float2 *in, __global float *out) {
  int i = get_global_id(0), last = 0;
  float2 seed = in[i];
  float hit[8], sum = 0.0f;
  for (int k = 0; k < 8; ++k) {
    ++last;
    hit[k] = noise(&seed);
    if (hit[k] < 0.25f)
      break;
  }
  while (last > 0) {
    --last;
    sum = sum * 0.5f + hit[last]; // HIT: the private array 'hit' is indexed by
  }
  out[i] = sum;
}

__kernel void all_bounces(__global const float2 *in, __global float *out) {
  int i = get_global_id(0);
  float2 seed = in[i];
  float hit[8], sum = 0.0f;
  for (int k = 0; k < 8; ++k)
    hit[k] = noise(&seed); // miss: eight
  for (int k = 0; k < 8; ++k)
    sum = sum * 0.5f + hit[7 - k] + noise(&seed);
  out[i] = sum;
}

// Loops with their test at the end, or with a counting test.
__kernel void at_the_end(__global float *x, int n) {
  float row[4];
  int i = 0;
  for (int k = 0; k < 4; ++k)
    row[k] = x[k * n];
  do {
    x[i + n] = row[i]; // miss: four rounds
  } while (++i < 4);
}

__kernel void downwards(__global float *x, int n) {
  float row[4];
  int i = 4;
  for (int k = 0; k < 4; ++k)
    row[k] = x[k * n];
  while (i-- > 0)
    x[i + n] = row[i]; // miss: four rounds
}

__kernel void downwards_from_the_hosts(__global float *x, int n) {
  float row[4] = {0.0f, 1.0f, 2.0f, 3.0f};
  int i = n;
  row[1] = x[0];
  while (i-- > 0)
    x[i + n] = row[i]; // HIT: the private array 'row' is indexed by
}

__kernel void as_long_as_data_say(__global float *x, int n) {
  float row[32];
  int i = 0;
  while (true) {
    if (x[i] < 0.5f)
      break;
    row[i] = x[i]; // HIT: the private array 'row' is indexed by
    ++i;
  }
  x[n] = row[3];
}
