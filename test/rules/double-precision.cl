// RUN: %{python} %{expect} %s
// RUN: cp %s %t.cl
// RUN: not clmali-lint --device=mali --checks=-*,double-precision --fix %t.cl
// RUN: diff %S/Inputs/double-precision.fixed %t.cl
// RUN: clang-19 -fsyntax-only --target=spir64 -cl-std=CL1.2 %t.cl

__kernel void literal(__global float *x) {
  int i = get_global_id(0);
  x[i] = x[i] * 0.5; // HIT: the literal makes this float operation
  x[i] = x[i] + 0.1; // HIT: the literal makes this float operation
  if (x[i] > 2.0) // HIT: the literal makes this float operation
    x[i] = 0.0f;
}

__kernel void doubles(__global double *x) {
  int i = get_global_id(0);
  x[i] = x[i] * x[i] + x[i]; // HIT: it computes in double precision
}

__kernel void floats(__global float *x) {
  int i = get_global_id(0);
  x[i] = x[i] * 0.5f; // miss: the suffix is there
  x[i] = 0.5; // miss: assigned, not computed with
  x[i] = x[i] * 2; // miss: an integer literal
}

__kernel void copies(__global double *x, __global double *y) {
  int i = get_global_id(0);
  x[i] = y[i]; // miss: copied, not computed with
}

__kernel void of_constants(__global float *data) {
  int i = get_global_id(0);
  data[i] = sin(3.14 * 2.0 * data[i]); // HIT: the literal makes this float operation double
}

__kernel void of_float_constants(__global float *data) {
  int i = get_global_id(0);
  data[i] = sin(3.14f * 2.0f * data[i]); // miss: all of them are float
}

static double twice(double v) { return v + v; }

__kernel void own(__global double *x) {
  double v = twice(x[get_global_id(0)]);
  x[get_global_id(0)] = v * x[0]; // HIT: it computes in double precision
}

__kernel void through_helpers(__global double *x) {
  x[get_global_id(0)] = x[1]; // miss: nothing is computed
}

__kernel void wider(__global int *out) {
  int i = get_global_id(0);
  long double x = i; // HIT: it computes in double precision
  out[i] = x * x > 4;
}

__kernel void as_wide_as_float(__global int *out) {
  int i = get_global_id(0);
  float x = i; // miss: single precision
  out[i] = x * x > 4;
}

__kernel void compared(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = isgreater(in[i], 7.0); // HIT: it computes in double precision
}

__kernel void compared_in_float(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = isgreater((float)in[i], 7.0f); // miss: a float literal
}

__kernel void searched(__global const double *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] >= in[i + 1]; // HIT: it computes in double precision
}

__kernel void copied(__global const double *in, __global double *out) {
  int i = get_global_id(0);
  out[i] = in[i + 1]; // miss: nothing is computed
}

__kernel void function_of_a_literal(__global float *data) {
  int i = get_global_id(0);
  data[i] = fabs(data[i]) / sqrt(2.0); // HIT: the literal makes this float operation double
}

__kernel void function_of_a_float(__global float *data) {
  int i = get_global_id(0);
  data[i] = fabs(data[i]) / sqrt(2.0f); // miss: a float literal
}

__kernel void integer_times_literal(__global float4 *data, int n) {
  int i = get_global_id(0);
  data[i] = data[i] / (float)(n * i * 1000.0); // HIT: the literal makes this operation double, and its result is kept as float
}

__kernel void integer_times_float(__global float4 *data, int n) {
  int i = get_global_id(0);
  data[i] = data[i] / (float)(n * i * 1000.0f); // miss: a float literal
}

// A sum in double of floats, an argument in double, and a mere conversion.
__kernel void sum_of_floats(__global const float *in, __global float *out) {
  double sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += in[16 * get_global_id(0) + k]; // HIT: it computes in double precision
  out[get_global_id(0)] = sum; // miss: already reported above
}

__kernel void by_double_argument(__global float *data, double factor) {
  data[get_global_id(0)] *= factor; // HIT: it computes in double precision
}

__kernel void by_float_argument(__global float *data, float factor) {
  data[get_global_id(0)] *= factor; // miss: the argument is float
}

__kernel void converted_argument(__global float *data, double factor) {
  data[get_global_id(0)] *= (float)factor; // HIT: it converts values of double precision
}

__kernel void converted_elements(__global const double *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = in[i]; // HIT: it converts values of double precision
}

__kernel void widened(__global const int *in, __global double *out) {
  int i = get_global_id(0);
  out[i] = in[i]; // HIT: it converts values of double precision
}

__kernel void moved(__global const double *in, __global double *out) {
  int i = get_global_id(0);
  out[i] = in[i]; // miss: nothing is converted
  out[i + 1] = 1; // miss: a constant
}

__kernel void of_sign(__global const double *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] > 0; // HIT: it computes in double precision
}

__kernel void of_single_sign(__global const float *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] > 0; // miss: float
}

__kernel void constants(__global float *data) {
  float x = 0.0; // miss: a constant
  const float third = (float)(1.0 / 3.0); // miss: a constant
  data[get_global_id(0)] += x + third; // miss: float
}

__kernel void chosen(__global float *data, int n) {
  int i = get_global_id(0);
  data[i] = (i == n ? 1.0 : 0.0) - data[i]; // HIT: the literal makes this float operation double
}

__kernel void chosen_float(__global float *data, int n) {
  int i = get_global_id(0);
  data[i] = (i == n ? 1.0f : 0.0f) - data[i]; // miss: float literals
}

__kernel void chosen_one(__global float *data, float x, int n) {
  int i = get_global_id(0);
  data[i] += i == n ? x / 9 : 0.0; // HIT: the literal makes this float operation double
}

__kernel void chosen_value(__global float *data, float x, int n) {
  int i = get_global_id(0);
  data[i] += i == n ? x / 9 : 0.0f; // miss: a float literal
}

__kernel void luma(__global const uchar *in, __global float *out) {
  int i = get_global_id(0);
  float red = 0.299 * in[3 * i]; // HIT: the literal makes this operation double, and its result is kept as float
  float green = 0.587f * in[3 * i + 1]; // miss: a float literal
  float blue = (float)(0.114) * in[3 * i + 2]; // miss: converted before
  out[i] = red + green + blue;
}

#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void negative(__global double *out, __global const double *in) {
  out[get_global_id(0)] = -in[get_global_id(0)]; // HIT: it computes in double precision
}

__kernel void carried(__global double *out, __global const double *in) {
  out[get_global_id(0)] = in[get_global_id(0)]; // miss: nothing is computed
}
