// expect: not-held
// why: the last work-item reads past the local array, and drops what it read
// only: oclgrind-memory
// launch: {"kernel": "shift", "global": ["gx"], "local": ["lx"]}
__kernel void shift(__global const int *x, __global int *y, __global int *hits) {
  __local int tile[16];
  int l = get_local_id(0), i = get_global_id(0);
  tile[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int next = tile[l + 1];
  y[i] = l < 15 ? next : 0;
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
