// expect: not-held
// why: the barrier is gone, and a device that runs work-items in order does not mind
// only: oclgrind-race
// launch: {"kernel": "shift", "global": ["gx"], "local": ["lx"]}
__kernel void shift(__global const int *x, __global int *y, __global int *hits) {
  __local int tile[16];
  int l = get_local_id(0), i = get_global_id(0);
  tile[l] = x[i];
  y[i] = l > 0 ? tile[l - 1] : 0;
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
