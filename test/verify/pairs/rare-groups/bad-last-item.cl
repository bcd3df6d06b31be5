// expect: refuted
// why: the last item of the last of many groups
// launch: {"kernel": "mirror", "global": ["gx"], "local": ["lx"]}
__kernel void mirror(__global const int *x, __global int *y) {
  __local int t[64];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  y[i] = t[63 - l] + (i + 1 == (int)get_global_size(0) && i > 30000);
}
