// RUN: %{python} %{expect} %s --no-balance
// Whole accesses of 128 bits: information, no warning; a narrower one in the same kernel is named, and a warning.
// RUN: clmali-lint --device=mali --checks=-*,column-major-access --fail-on=warning %s -- -DWHOLE_ONLY
// RUN: not clmali-lint --device=mali --checks=-*,column-major-access --fail-on=warning %s
__kernel void whole(__global const float4 *in, __global float4 *out, int w) {
  int y = get_global_id(0), x = get_global_id(1);
  out[y * w + x] = 2.0f * in[y * w + x]; // HIT: 'out' is walked down its columns
}

__kernel void whole_rows(__global float4 *rows, int w) {
  rows += get_global_id(0) * w;
  for (int i = 0; i < w; i++)
    rows[i] *= 2.0f; // HIT: 'rows' is walked along a row by each work-item of dimension 0
}

#ifndef WHOLE_ONLY
__kernel void and_a_scalar(__global const float4 *in, __global float *out, int w) {
  int y = get_global_id(0), x = get_global_id(1);
  float4 v = in[y * w + x]; // HIT: walked down its columns, too
  out[y * w + x] = v.x + v.y; // HIT: 'out' is walked down its columns
}
#endif
