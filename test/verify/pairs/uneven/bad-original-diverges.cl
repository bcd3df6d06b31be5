// expect: not-held
// why: the original's barrier is not reached by all
// launch: {"kernel": "uneven", "global": ["gx"], "local": ["lx"]}
__kernel void uneven(__global int *x, __local int *s) {
  int l = get_local_id(0);
  s[l] = x[get_global_id(0)];
  if (l < 3)
    barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = s[l] + 1;
}
