// expect: held passes=vectorize
// The guard is kept in variables, as generators write it, and an unused id is queried.
__kernel void guard_in_a_variable(__global ushort *restrict sum, __global const ushort *restrict in, const int extent0,
                                  const int extent1, const int stride) {
  int y = get_global_id(1);
  int x = get_global_id(0);
  int lane = get_local_id(0);
  bool in0 = x < extent0;
  bool in1 = y < extent1;
  bool inside = in0 && in1;
  if (inside) {
    int at = y * stride + x;
    ushort three = (ushort)((ushort)(in[at] + in[at + 1]) + in[at + 2]);
    sum[y * extent0 + x] = three / 3;
  }
}
