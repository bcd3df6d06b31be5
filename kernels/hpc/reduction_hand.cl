// reduction by hand: four elements at a time, with a partial sum in each lane.
// items: 4
// trips: reduction_hand 16 16
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif

__kernel void reduction_hand(__global const real *restrict in, __global real *restrict partial, __local real *scratch, int n) {
  int l = get_local_id(0);
  int i = get_global_id(0) * 4;
  real4 sums = 0;
  for (; i + 3 < n; i += get_global_size(0) * 4)
    sums += vload4(0, in + i);
  real sum = sums.s0 + sums.s1 + sums.s2 + sums.s3;
#ifndef WHOLE_BLOCKS
  for (; i < n; i++)
    sum += in[i];
#endif
  scratch[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    if (l < s)
      scratch[l] += scratch[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    partial[get_group_id(0)] = scratch[0];
}
