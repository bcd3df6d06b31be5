// expect: refuted
// why: no barrier from group 200 on
// launch: {"kernel": "mirror", "global": ["gx"], "local": ["lx"]}
__kernel void mirror(__global const int *x, __global int *y) {
  __local int t[64];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = x[i];
  if (get_group_id(0) < 200)
    barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = t[63 - l];
}
