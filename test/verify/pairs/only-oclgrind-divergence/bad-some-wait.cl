// expect: not-held
// why: some work-items of a group wait at a barrier once more than the others
// only: oclgrind-divergence
// launch: {"kernel": "add", "global": ["gx"], "local": ["lx"]}
__kernel void add(__global int *x, __local int *s) {
  int l = get_local_id(0);
  s[l] = x[get_global_id(0)];
  for (int k = 0; k < 1 + (l & 1); ++k)
    barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = s[l] + 1;
}
