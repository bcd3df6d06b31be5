// RUN: %{python} %{expect} %s
// The index of a gather is information: a vector of them makes no vector of what they point to.
// RUN: clmali-lint --device=mali --checks=-*,scalar-global-access --fail-on=warning %s -- -DINDEX_ONLY
// RUN: not clmali-lint --device=mali --checks=-*,scalar-global-access --fail-on=warning %s
__kernel void rows(__global const int *index, __global const float4 *in, __global float4 *out, int length, int count) {
  int i = get_global_id(0), k = get_global_id(1);
  int row = index[i]; // HIT: 'index' is read one int at a time
  if (row < 0 || row >= count)
    return;
  out[i * length + k] = in[row * length + k]; // miss: whole vectors
}

#ifndef INDEX_ONLY
__kernel void distances(__global const int *index, __global const float4 *in, __global float4 *out, int length) {
  int i = get_global_id(0), k = get_global_id(1);
  int row = index[i]; // HIT: 'index' is read one int at a time
  out[i * length + k] = in[row * length + k] * (float)row; // miss: whole vectors
}
#endif
