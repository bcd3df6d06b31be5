// expect: held passes=vectorize
// A bandwidth triad over doubles; the launch has exactly one work-item for each element.
__kernel void triad_noguard(__global const double *memA, __global const double *memB, __global double *memC, double s) {
  int gid = get_global_id(0);
  memC[gid] = memA[gid] + s * memB[gid];
}
