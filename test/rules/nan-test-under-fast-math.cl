// RUN: %{python} %{expect} %s -- -cl-fast-relaxed-math
__kernel void tests(__global const float *in, __global float *out, __global double *d) {
  int i = get_global_id(0);
  float v = in[i];
  out[i] = isnan(v) ? 0.0f : v; // HIT: 'isnan' may be folded: the program is built with -cl-fast-relaxed-math
  if (v != v) // HIT: the comparison of a value with itself may be folded
    out[i] = 1.0f;
  if (in[i + 1] == INFINITY || in[i + 2] == -INFINITY) // HIT: the comparison with INFINITY may be folded // HIT: the comparison with INFINITY may be folded
    out[i] = 2.0f;
  bool fine = isfinite(in[i + 3]); // HIT: 'isfinite' may be folded
  out[i + 4] = fine;
  if (v == NAN) // HIT: the comparison with NAN may be folded
    out[i] = 3.0f;
}
int bad(float4 v) { return any(isinf(v)); } // HIT: 'isinf' may be folded
__kernel void vectors(__global const float4 *in, __global int *out) {
  out[get_global_id(0)] = bad(in[get_global_id(0)]);
}
__kernel void smallest(__global const float *in, __global float *out, int n) {
  float best = INFINITY; // HIT: INFINITY is computed with
  for (int k = 0; k < n; ++k)
    best = fmin(best, in[k + get_global_id(0)]);
  out[get_global_id(0)] = best;
}

__kernel void bits(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  if ((as_uint(in[i]) & 0x7fffffff) > 0x7f800000) // miss: the bits are tested
    out[i] = 0.0f;
}
__kernel void others(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float v = in[i];
  if (v != in[i + 1]) // miss: two values
    out[i] = v;
  if (n == n) // miss: integers
    out[i + 1] = v;
  if (v < FLT_MAX) // miss: a finite value
    out[i + 2] = v;
  if (signbit(v)) // miss: no test for NaN
    out[i + 3] = v;
}
__kernel void limits(__global const float *in, __global float *out, int n) {
  float best = FLT_MAX; // miss: a finite value
  for (int k = 0; k < n; ++k)
    best = fmin(best, in[k + get_global_id(0)]); // miss: no test
  out[get_global_id(0)] = best; // miss: no test
}
