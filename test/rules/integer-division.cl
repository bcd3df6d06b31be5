// RUN: %{python} %{expect} %s
// RUN: cp %s %t.cl
// RUN: not clmali-lint --device=powervr --checks=-*,integer-division --fix %t.cl
// RUN: diff %S/Inputs/integer-division.fixed %t.cl
// RUN: clmali-lint --device=powervr --checks=-*,integer-division --format=json --fail-on=error %s | FileCheck %s
// CHECK: 30 cycles

__kernel void uniform_divisor(__global int *out, int width) {
  int i = get_global_id(0);
  out[i] = i / width; // HIT: the divisor is the same for all work-items
  out[i] += i % width; // miss: a product, with the quotient
}

__kernel void varying_divisor(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = 1000 / in[i]; // HIT: the divisor differs from work-item to work-item
}

__kernel void constant_divisor(__global int *out) {
  int i = get_global_id(0);
  out[i] = i / 3; // HIT: by the constant 3
}

// Never negative: shift and mask are exact.
__kernel void power_of_two(__global const uchar *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] / 16; // HIT: by the constant 16
  out[i] += in[i] % 8; // HIT: by the constant 8
}

__kernel void in_a_loop(__global int4 *out, int n) {
  int sum = 0;
  for (int k = 1; k < n; ++k)
    sum += n / k; // HIT: is the same for all work-items
  out[get_global_id(0)] = (int4)(sum);
}

#define DIVIDE(a, b) ((a) / (b))
__kernel void macro(__global int *out, int n) {
  out[get_global_id(0)] = DIVIDE((int)get_global_id(0), n); // HIT: the quotient
}

__kernel void shifts(__global uint *out) {
  uint i = get_global_id(0);
  out[i] = i / 16 + i % 16; // miss: unsigned, power of two
}

__kernel void once(__global int *out, int n) {
  int half_of_it = n / 3; // HIT: by the constant
  out[get_global_id(0)] = half_of_it;
}

__kernel void floats(__global float *out, float n) {
  out[get_global_id(0)] = get_global_id(0) / n; // miss: floating point
}

__kernel void folded(__global int *out) {
  out[get_global_id(0)] = 100 / 7; // miss: both are constants
}

#define SIZE 64
__kernel void macro_power(__global uint *out) {
  uint i = get_global_id(0);
  out[i] = i % SIZE; // miss: a macro that is a power of two
}

__kernel void sizes(__global int *out) {
  int i = get_global_id(0);
  out[i] = sizeof(int4) / sizeof(int); // miss: both are constants
}

__kernel void unsigned_ids(__global int *out) {
  out[get_global_id(0)] = get_global_id(0) / 32; // miss: size_t is unsigned
}

__kernel void by_one(__global int *out) {
  int i = get_global_id(0);
  out[i] = i / 1; // miss: no division
}

// Which row it is, once for a whole loop.
__kernel void before_a_loop(__global const float *in, __global float *out, int width) {
  int i = get_global_id(0);
  int row = i / width; // HIT: the same for all work-items
  float sum = 0.0f;
  for (int k = 0; k < width; ++k)
    sum += in[row * width + k];
  out[i] = sum;
}

__kernel void before_vectors(__global const float4 *in, __global float4 *out, int width) {
  int i = get_global_id(0);
  out[i] = in[i / width]; // HIT: the same for all work-items
}

__kernel void constant_before_a_loop(__global const float *in, __global float *out, int width) {
  int i = get_global_id(0);
  int row = i / 3; // HIT: by the constant
  float sum = 0.0f;
  for (int k = 0; k < width; ++k)
    sum += in[row * width + k];
  out[i] = sum;
}

__kernel void constant_before_pixels(__read_only image2d_t in, __write_only image2d_t out) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(out, (int2)(x, y), read_imagef(in, (int2)(x / 3, y))); // HIT: by the constant
}

__kernel void in_the_loop(__global const float *in, __global float *out, int width) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < width; ++k)
    sum += in[(i + k) / width]; // HIT: the quotient
  out[i] = sum;
}

__kernel void of_data(__global const int4 *in, __global int4 *out, int width) {
  int i = get_global_id(0);
  int4 v = in[i];
  out[i] = v / width; // HIT: the quotient
}

__kernel void by_float(__global const float4 *in, __global float4 *out, float width) {
  int i = get_global_id(0);
  out[i] = in[i] / width; // miss: floating point
}

__kernel void halves(__global const ushort8 *in, __global ushort8 *out) {
  int i = get_global_id(0);
  out[i] = in[i] / (ushort8)(2); // miss: a power of two, in all lanes
}

__kernel void before_the_loop(__global const float *in, __global float *out, int n, int w) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[x % w + k * n]; // HIT: the remainder of two integers
  out[x] = sum;
}

__kernel void in_each_round(__global const float *in, __global float *out, int n, int w) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = x; k < n; k += 64)
    sum += in[k % w]; // HIT: the remainder of two integers
  out[x] = sum;
}

__kernel void in_each_round_by_steps(__global const float *in, __global float *out, int n, int w) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = x, c = x; k < n; k += 64, c = c >= w ? 0 : c + 1)
    sum += in[c]; // miss: counted, not divided
  out[x] = sum;
}

__kernel void once_for_all(__global const float *in, __global float *out, int n, int w) {
  int x = get_global_id(0);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[k + n / w]; // HIT: the same for all work-items
  out[x] = sum;
}

// An argument that a loop changes.
__kernel void halving(__global float *data, int n, uint offset) {
  int i = get_global_id(0);
  while (n / (offset * 2) > 0) { // HIT: the divisor is the same for all work-items
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (i < n - offset)
      data[i] += data[i + offset];
    offset *= 2;
  }
}

__kernel void before_halving(__global float *data, int n, uint offset) {
  int i = get_global_id(0), half_of_it = n / (offset * 2); // HIT: the same for all work-items
  while (half_of_it > i) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    data[i] += 1.0f;
    half_of_it -= i;
  }
}

__kernel void of_a_size(__global const int *size, __global float *data) {
  int half_of_it = size[0] / 2; // HIT: by the constant
  data[get_global_id(0)] = half_of_it;
}

__kernel void uniform_near(__global float *out, int n, uint w, float f) {
  float part = f / 3.0f; // miss: in floating point
  uint eighth = w / 8; // miss: of an unsigned value by a power of two
  int third = n / 3; // HIT: by the constant 3
  out[get_global_id(0)] = part + eighth + third;
}

__kernel void of_a_computed_value(__global const float4 *in, __global uchar *out, float step) {
  int i = get_global_id(0), kind = (int)(step * i * i) % 12; // HIT: the remainder by the constant 12
  float4 v = in[i] + in[i + 1] + in[i + 2];
  out[i] = kind + (int)v.x;
}

__kernel void of_a_coordinate(__global const float4 *in, __global uchar *out, float step) {
  int i = get_global_id(0), kind = i % 12; // HIT: by the constant
  float4 v = in[i] + in[i + 1] + in[i + 2] * (step * i * i);
  out[i] = kind + (int)v.x;
}

__kernel void no_division(__global uint *out, uint n, int m) {
  uint i = get_global_id(0);
  out[i] = n % 16; // miss: unsigned, and a power of two
  out[i] += i / 32 * (i % 64); // miss: unsigned, and powers of two
  out[i] += m / 1; // miss: by one
  out[i] += 1000 / 7; // miss: both are constants
  out[i] += (uint)(m / 7.0f); // miss: in floating point
  out[i] += m >> 3; // miss: a shift
  out[i] += n & 7; // miss: a mask
}

__kernel void beside_a_computation(__global float *out, float step) {
  int i = get_global_id(0);
  float x = i * step;
  out[i] = (i % 6) * (sin(x) + sin(3.0f * x) / 3.0f + sin(5.0f * x) / 5.0f + sin(7.0f * x) / 7.0f); // HIT: by the constant
}

__kernel void beside_little(__global float *out, float step) {
  int i = get_global_id(0);
  out[i] = (i % 6) * (i * step); // HIT: the remainder by the constant 6
}

__kernel void shifted(__global const float4 *in, __global float4 *out, uint columns) {
  uint i = get_global_id(0), row = i >> 5, column = i & 31;
  out[i] = in[i / 32]; // miss: unsigned, and a power of two
  out[i] += in[row * columns + column]; // miss: shifts and masks
  out[i] += in[i] / 3.0f; // miss: in floating point
  out[i] += in[mul24(i, columns)]; // miss: a product
  out[i] += in[i & (columns - 1)]; // miss: a mask
  out[i] += in[i >> columns]; // miss: a shift by a number of the host's
}

// The dividend is written to, and so is the shifted value.
__kernel void halved_in_place(__global int *x) {
  int part = get_local_id(0), low = get_local_id(1);
  while (part > 1)
    part /= 2; // HIT: by the constant 2
  if (low > 3)
    low %= 64; // HIT: by the constant 64
  x[get_global_id(0)] = part + low;
  part >>= 2; // miss: a shift
  low &= 7; // miss: a mask
  x[get_global_id(0)] = part * 2 + low; // miss: nothing is divided
}

// A named constant keeps its name: it may be changed.
#define TILE_OF_NAME 16
__kernel void by_a_name(__global int *x) {
  int part = get_local_id(0);
  while (part > 1)
    part = part / TILE_OF_NAME; // HIT: by the constant 16
  x[get_global_id(0)] = part;
  x[get_global_id(0) + 1] = part << 2; // miss: a shift
}

// Kernels on vectors and pixels, too.
__kernel void row_of_vectors(__global const float4 *in, __global float4 *out, int width, int n) {
  int i = get_global_id(0);
  int row = i / width; // HIT: the same for all work-items
  float4 sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += in[row * n + k];
  out[i] = sum;
}

__kernel void half_of_pixels(__read_only image2d_t in, __global float *out, int width, int pad) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP;
  int rest = width % pad; // HIT: the same for all work-items
  out[get_global_id(0)] = read_imagef(in, s, (int2)(get_global_id(0) + rest, 0)).x;
}

__kernel void unsigned_vectors(__global const float4 *in, __global float4 *out, uint width) {
  uint row = width / 8; // miss: a power of two, unsigned
  out[get_global_id(0)] = in[get_global_id(0) + row];
}
