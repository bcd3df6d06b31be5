// RUN: %{python} %{expect} %s
__kernel void sorted(__global const uint *keys, __global uint *out, __local const uint *first, int n) {
  uint l = get_local_id(0);
  for (int e = 0; e < n; ++e) {
    uint at = e * 64 + l;
    uint bucket = keys[at] & 15; // HIT: 'keys' is read one uint at a time
    uint offset = first[bucket];
    out[offset + at] = bucket; // miss: each work-item has the offset of its own bucket
  }
}

__kernel void through_variables(__local const uint *bins, __global float *out, __global const uint *start, int n) {
  int l = get_local_id(0);
  for (int e = 0; e < n; ++e) {
    int i = l + 64 * e;
    out[start[bins[i]] + i] = 1.0f; // miss: the same without names
  }
}

__kernel void row_of_group(__global const uint *start, __global float *out) {
  uint row = get_group_id(0);
  for (uint j = start[row] + get_local_id(0); j < start[row + 1]; j += 64)
    out[j] = 1.0f; // HIT: 'out' is written one float at a time
}
