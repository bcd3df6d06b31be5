// expect: held
// why: a larger scratch buffer, asked for in the manifest
// launch: {"kernel": "sums_w", "global": ["gx"], "local": ["lx"], "localBytes": {"scratch": "lx * 8"}}
__kernel void sums_w(__global const int *x, __global int *partial, __local int *scratch) {
  int l = get_local_id(0);
  scratch[2 * l] = x[get_global_id(0)];
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      scratch[2 * l] += scratch[2 * (l + s)];
  }
  if (l == 0)
    partial[get_group_id(0)] = scratch[0];
}
