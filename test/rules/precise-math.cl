// RUN: %{python} %{expect} %s
// RUN: cp %s %t.cl
// RUN: clmali-lint --device=powervr --checks=-*,precise-math --fail-on=error --unsafe-fixes %t.cl
// RUN: diff %S/Inputs/precise-math.fixed %t.cl

__kernel void medium(__global float *x) {
  int i = get_global_id(0);
  x[i] = exp(x[i]); // HIT: exp is computed precisely
}

__kernel void low(__global float4 *x) {
  int i = get_global_id(0);
  x[i] = sin(x[i]); // HIT: sin is computed precisely
}

__kernel void native(__global float *x) {
  int i = get_global_id(0);
  x[i] = native_exp(x[i]); // miss: the native form
  x[i] = fabs(x[i]); // miss: there is no native form
}

__kernel void uniform(__global float *x, float k) {
  x[get_global_id(0)] = exp(k); // HIT: exp is computed precisely
}

__kernel void doubles(__global double *x) {
  int i = get_global_id(0);
  x[i] = exp(x[i]); // miss: double has no native form
}

// In double only because of a literal.
__kernel void by_a_literal(__global float *data) {
  int i = get_global_id(0);
  data[i] = sin(3.14 * data[i]); // HIT: sin is computed precisely
}

__kernel void in_double(__global double *data) {
  int i = get_global_id(0);
  data[i] = sin(3.14 * data[i]); // miss: there is no native form for double
}

// What has no native_ form of its own.
__kernel void powers(__global float *data, __global const int *n) {
  int i = get_global_id(0);
  data[i] = pow(data[i], 2.2f); // HIT: pow is computed precisely
  data[i] += pown(data[i], n[i]); // HIT: pown is computed precisely
  data[i] += pow(data[i], 3.0f); // HIT: pow is computed precisely
  data[i] += powr(data[i], 2.2f); // HIT: powr is computed precisely
}

__kernel void powers_near(__global float *data, __global double *wide, float k) {
  int i = get_global_id(0);
  data[i] = native_powr(data[i], 2.2f); // miss: the native form
  data[i] += pow(k, 2.2f); // HIT: pow is computed precisely
  data[i] += half_powr(data[i], 2.2f); // miss: a fast form
  wide[i] = pow(wide[i], 2.2); // miss: there is no native form for double
}

__kernel void other_functions(__global float *data, float k) {
  int i = get_global_id(0);
  data[i] = fmin(data[i], k); // miss: there is no native form
  data[i] += native_sqrt(k); // miss: the native form
  data[i] += k * k; // miss: a product
}

// Functions of vectors, in floating point.
__kernel void directions(__global float4 *v, __global float *out, float4 from) {
  int i = get_global_id(0);
  out[i] = length(v[i]); // HIT: length is computed precisely
  out[i] += distance(v[i], from); // HIT: distance is computed precisely
  v[i] = normalize(v[i]); // HIT: normalize is computed precisely
  v[i] += fast_normalize(from); // miss: the fast form
  out[i] += fast_length(from) + fast_distance(from, v[i]); // miss: the fast forms
  out[i] += dot(v[i], from); // miss: no root
}

__kernel void both(__global const float *x, __global float2 *out) {
  int i = get_global_id(0);
  float c, s = sincos(x[i], &c); // HIT: sincos is computed precisely
  out[i] = (float2)(c, s);
}

__kernel void parts(__global const float *x, __global float2 *out) {
  int i = get_global_id(0);
  float whole, part = modf(x[i], &whole); // miss: modf has no fast form
  out[i] = (float2)(whole, part);
}
