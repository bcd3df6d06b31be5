// RUN: %{python} %{expect} %s
// Where the host has a form with vectors to choose, the other one is information.
// RUN: clmali-lint --device=mali --checks=-*,scalar-global-access,scalar-byte-load --fail-on=warning %s -- -DFORMS_ONLY
// RUN: not clmali-lint --device=mali --checks=-*,scalar-global-access --fail-on=warning %s
__kernel void scale(__global const float *in, __global float *out, float by) {
  int i = get_global_id(0);
  out[i] = in[i] * by; // HIT: 'out' is written one float at a time // HIT: 'in' is read one float at a time
}

__kernel void scale_v4(__global const float *in, __global float *out, float by) {
  int i = get_global_id(0);
  vstore4(vload4(i, in) * by, i, out); // miss: vectors
}

__kernel void shift(__global const float *src, __global float *dst, float by) {
  int i = get_global_id(0);
#if defined(BY_FOUR)
  vstore4(vload4(i, src) + by, i, dst); // miss: vectors
#else
  dst[i] = src[i] + by; // HIT: 'dst' is written one float at a time // HIT: 'src' is read one float at a time
#endif
}

#ifndef FORMS_ONLY
__kernel void halve(__global const float *in, __global float *out, float by) {
  int i = get_global_id(0);
  out[i] = in[i] * 0.5f; // HIT: 'out' is written one float at a time // HIT: 'in' is read one float at a time
}

__kernel void third_v4(__global const float *in, __global float *out, float by) {
  int i = get_global_id(0);
  vstore4(vload4(i, in) * by, i, out); // miss: another kernel's name
  // miss: vectors, and not of one that is called third
  // miss: what scale does
  // miss: its arguments are those of halve, all the same
}
#endif
