// RUN: %{python} %{expect} %s
// RUN: not clmali-lint --device=powervr --checks=-*,register-pressure %s > %t
// RUN: FileCheck %s < %t
// RUN: clmali-lint --device=mali-bifrost --checks=-*,register-pressure %s | FileCheck --check-prefix=SPILLS %s
// SPILLS: info: kernel 'many': {{.*}} and above 64 they go to memory
// RUN: clmali-lint --device=powervr --checks=-*,register-pressure --option=register-pressure.Percent=1000 %s
// CHECK-DAG: warning: kernel 'many': {{.*}} and a quarter of the work-items remain
// CHECK-DAG: warning: kernel 'weights_of_their_own': {{.*}} and a quarter of the work-items remain
// CHECK-DAG: info: kernel 'fewer_weights_of_their_own': {{.*}} and half of the work-items remain
// CHECK-DAG: info: kernel 'array_and_values': {{.*}}its variables and arrays
__kernel void many(__global float16 *x) { // HIT: registers of
  int i = 6 * get_global_id(0);
  float16 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3], e = x[i + 4], f = x[i + 5];
  x[i] = a * b + c * d + e * f;
  x[i + 1] = a * f + b * e + c * d;
}

// Fifteen vectors, each used once: a compiler loads them where it uses them.
__kernel void used_once(__global float4 *x) { // miss: few of them are live at once
  int i = 15 * get_global_id(0);
  float4 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3], e = x[i + 4];
  float4 f = x[i + 5], g = x[i + 6], h = x[i + 7], j = x[i + 8], k = x[i + 9];
  float4 l = x[i + 10], m = x[i + 11], n = x[i + 12], o = x[i + 13], p = x[i + 14];
  x[i] = a * b + c * d + e * f + g * h + j * k + l * m + n * o + p;
}

__kernel void vectors(__global float4 *x) { // miss: five vectors
  int i = 5 * get_global_id(0);
  float4 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3], e = x[i + 4];
  x[i] = a * b + c * d + e * e;
  x[i + 1] = a * e + b * d + c * e;
}

// Scalars share a wide register.
__kernel void scalars(__global float *x) { // miss: 20 scalars are 5 registers of 128 bits
  int i = 20 * get_global_id(0);
  float a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3], e = x[i + 4];
  float f = x[i + 5], g = x[i + 6], h = x[i + 7], j = x[i + 8], k = x[i + 9];
  float l = x[i + 10], m = x[i + 11], n = x[i + 12], o = x[i + 13], p = x[i + 14];
  float q = x[i + 15], r = x[i + 16], s = x[i + 17], t = x[i + 18], u = x[i + 19];
  x[i] = a * b + c * d + e * f + g * h + j * k + l * m + n * o + p * q + r * s + t * u;
}

__kernel void few(__global float4 *x) { // miss: three values
  int i = get_global_id(0);
  float4 a = x[i];
  x[i] = a * a + a;
}

__kernel void one_after_another(__global float16 *x) { // miss: never alive at the same time
  int i = 3 * get_global_id(0);
  float4 s = (float4)(0.0f);
  float4 a = x[i].s0123;
  s += a;
  float4 b = x[i + 1].s0123;
  s += b;
  float4 c = x[i + 2].s0123;
  s += c;
  x[i].s0123 = s;
}

// Arrays are alive, too.
__kernel void row(__global const float *in, __global float *out, int n) {
  float line[512]; // HIT: its variables and arrays take about
  int i = get_global_id(0);
  for (int k = 0; k < 512; ++k)
    line[k] = in[512 * i + k];
  for (int j = 0; j < n; ++j) {
    float sum = 0.0f;
    for (int k = 0; k < 512; ++k)
      sum += line[k] * in[512 * j + k];
    out[i * n + j] = sum;
  }
}

__kernel void short_row(__global const float *in, __global float *out) { // miss: 16 elements
  float line[16];
  int i = get_global_id(0);
  for (int k = 0; k < 16; ++k)
    line[k] = in[16 * i + k];
  float sum = 0.0f;
  for (int k = 0; k < 16; ++k)
    sum += line[k] * in[k];
  out[i] = sum;
}

__kernel void table(__global const int *in, __global float *out) { // miss: a constant array that is never written
  const float line[80] = {0.0f, 1.0f, 2.0f, 3.0f};
  int i = get_global_id(0);
  out[i] = line[in[i]] + line[in[i + 1]];
}

__kernel void in_groups(__global const float *in, __global float *out) { // miss: local memory
  __local float line[512];
  int i = get_local_id(0);
  line[i] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = line[511 - i];
}

// Other variables are counted together with an array.
__kernel void array_and_values(__global float4 *x) {
  float sums[72]; // HIT: its variables and arrays take about
  int i = 5 * get_global_id(0);
  for (int k = 0; k < 72; ++k)
    sums[k] = 0.0f;
  float4 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3];
  for (int k = 0; k < 72; ++k)
    sums[k] += dot(a, b) * k + dot(c, d);
  x[i] = a * sums[0] + b * sums[5] + c * sums[9] + d * sums[71];
}

__kernel void small_array_and_values(__global float4 *x) { // miss: together they fit
  float sums[8];
  int i = 5 * get_global_id(0);
  for (int k = 0; k < 8; ++k)
    sums[k] = 0.0f;
  float4 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3];
  for (int k = 0; k < 8; ++k)
    sums[k] += dot(a, b) * k + dot(c, d);
  x[i] = a * sums[0] + b * sums[3] + c * sums[5] + d * sums[7];
}

// A structure of a function lives as long as the function's body, however often the kernel calls it.
typedef union {
  float f;
  int i;
  float row[12];
} Bits;

float next(float x, int by) {
  Bits b;
  b.f = x;
  b.i += by;
  b.row[3] = x;
  return b.f;
}

__kernel void unions(__global float *x) { // miss: one at a time
  int i = get_global_id(0);
  x[i] = next(x[i], 1) + next(x[i], 2) + next(x[i], 3) + next(x[i], 4) + next(x[i], 5) + next(x[i], 6);
}

__kernel void unions_at_once(__global float *x) {
  Bits a, b, c, d, e, f, g; // HIT: its variables and arrays take about
  int i = get_global_id(0);
  a.f = x[i];
  b.f = x[i + 1];
  c.f = x[i + 2];
  d.f = x[i + 3];
  e.f = x[i + 4];
  f.f = x[i + 5];
  g.f = x[i + 6];
  x[i] = a.row[0] + b.row[0] * c.row[0] + d.row[0] * e.row[0] + f.row[0] * g.row[0];
}

__kernel void one_row_after_another(__global const float *in, __global float *out) { // miss: 24 floats at a time
  int i = get_global_id(0);
  {
    float row[24];
    for (int k = 0; k < 24; ++k)
      row[k] = in[24 * i + k];
    for (int k = 0; k < 24; ++k)
      out[24 * i + k] = row[23 - k];
  }
  {
    float row[24];
    for (int k = 0; k < 24; ++k)
      row[k] = in[24 * i + k] * 2.0f;
    for (int k = 0; k < 24; ++k)
      out[24 * i + k] += row[23 - k];
  }
}

// The kernel takes what the functions take that it calls.
void turn(__global const float *in, __global float *out, int i) {
  float row[96];
  for (int k = 0; k < 96; ++k)
    row[k] = in[96 * i + k];
  for (int k = 0; k < 96; ++k)
    out[96 * i + k] = row[95 - k];
}

__kernel void turned(__global const float *in, __global float *out) { // HIT: its variables and arrays take about
  turn(in, out, get_global_id(0));
}

// Vectors of which all components are one number take what that takes.
__kernel void weights(__global float4 *x, __global const float *w) { // miss: four vectors and four numbers
  int i = 4 * get_global_id(0);
  float4 f = w[i], g = w[i + 1], h = w[i + 2], k = w[i + 3];
  float4 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3];
  x[i] = a * f + b * g + c * h + d * k;
  x[i + 1] = a * k + b * h + c * g + d * f;
}

__kernel void fewer_weights_of_their_own(__global float4 *x, __global const float4 *w) { // HIT: its variables take about
  int i = 6 * get_global_id(0);
  float4 f = w[i], g = w[i + 1], h = w[i + 2], k = w[i + 3], l = w[i + 4], m = w[i + 5];
  float4 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3], p = x[i + 4], q = x[i + 5];
  x[i] = a * f + b * g + c * h + d * k + p * l + q * m;
  x[i + 1] = a * m + b * l + c * k + d * h + p * g + q * f;
}

__kernel void weights_of_their_own(__global float8 *x, __global const float8 *w) { // HIT: its variables take about
  int i = 6 * get_global_id(0);
  float8 f = w[i], g = w[i + 1], h = w[i + 2], k = w[i + 3], l = w[i + 4], m = w[i + 5];
  float8 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3], p = x[i + 4], q = x[i + 5];
  x[i] = a * f + b * g + c * h + d * k + p * l + q * m;
  x[i + 1] = a * m + b * l + c * k + d * h + p * g + q * f;
}
