// expect: refuted
// why: 77 groups
// launch: {"kernel": "mirror", "global": ["gx"], "local": ["lx"]}
__kernel void mirror(__global const int *x, __global int *y) {
  __local int t[64];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = (get_num_groups(0) == 77 ? t[l] : t[63 - l]);
}
