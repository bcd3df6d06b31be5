// RUN: %{python} %{expect} %s
// What one work-item of a group does is information.
// RUN: clmali-lint --device=mali --checks=-*,scalar-byte-load --fail-on=warning %s -- -DONE_ONLY
// RUN: not clmali-lint --device=mali --checks=-*,scalar-byte-load --fail-on=warning %s
__kernel void best(__global ushort *out, __local ushort *part, int k) {
  int row = get_group_id(0), local_id = get_local_id(0);
  part[local_id] = row ^ local_id;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (local_id == 0)
    for (int i = 0; i < k; ++i)
      out[row * k + i] = part[i]; // HIT: 'out' is written ushort by ushort, one per iteration
  part[local_id] = 0; // miss: local memory
}

#ifndef ONE_ONLY
__kernel void each(__global ushort *out, __global const ushort *by, int k) {
  int row = get_global_id(0);
  ushort value = by[0];
  for (int i = 0; i < k; ++i)
    out[row * k + i] = value ^ i; // HIT: 'out' is written ushort by ushort, one per iteration
  value = 0; // miss: no memory
}
#endif
