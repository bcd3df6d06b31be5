// Histogram of real values, in two launches: each group counts into local memory and writes its counts;
// then the counts of all groups are added up, one work-item for each bin.
#ifndef BINS
#define BINS 256
#endif
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

__kernel void histogram_groups(__global const real *values, __global uint *counts, real low, real width, int n) {
  __local uint bins[BINS];
  for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
    bins[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    int b = (int)((values[i] - low) / width);
    if (b >= 0 && b < BINS)
      atomic_inc(&bins[b]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = get_local_id(0); b < BINS; b += get_local_size(0))
    counts[get_group_id(0) * BINS + b] = bins[b];
}

__kernel void histogram_merge(__global const uint *counts, __global uint *histogram, int groups) {
  int b = get_global_id(0);
  uint sum = 0;
  for (int g = 0; g < groups; g++)
    sum += counts[g * BINS + b];
  histogram[b] = sum;
}
