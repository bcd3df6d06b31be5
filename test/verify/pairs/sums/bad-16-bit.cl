// expect: refuted
// why: sums in 16 bits
// launch: {"kernel": "sums", "global": ["gx"], "local": ["lx"]}
__kernel void sums(__global const int *x, __global int *partial, __local int *scratch) {
  int l = get_local_id(0);
  scratch[l] = x[get_global_id(0)];
  for (int s = get_local_size(0) / 2; s > 0; s /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s)
      scratch[l] = (short)(scratch[l] + scratch[l + s]);
  }
  if (l == 0)
    partial[get_group_id(0)] = scratch[0];
}
