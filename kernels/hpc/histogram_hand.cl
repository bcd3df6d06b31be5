// The histogram by hand: four values, four bins at a time.
// items: 4
// trips: histogram_groups_hand 16 16 16
// trips: histogram_merge_hand 16
#ifndef BINS
#define BINS 256
#endif
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif

__kernel void histogram_groups_hand(__global const real *restrict values, __global uint *restrict counts, real low,
                                    real width, int n) {
  __local uint bins[BINS];
  for (int b = get_local_id(0) * 4; b < BINS; b += get_local_size(0) * 4)
    vstore4((uint4)0, 0, bins + b);
  barrier(CLK_LOCAL_MEM_FENCE);
  int i = get_global_id(0) * 4;
  for (; i + 3 < n; i += get_global_size(0) * 4) {
    int4 b = convert_int4_rtz((vload4(0, values + i) - low) / width);
    if (b.s0 >= 0 && b.s0 < BINS)
      atomic_inc(&bins[b.s0]);
    if (b.s1 >= 0 && b.s1 < BINS)
      atomic_inc(&bins[b.s1]);
    if (b.s2 >= 0 && b.s2 < BINS)
      atomic_inc(&bins[b.s2]);
    if (b.s3 >= 0 && b.s3 < BINS)
      atomic_inc(&bins[b.s3]);
  }
#ifndef WHOLE_BLOCKS
  for (; i < n; i++) {
    int b = (int)((values[i] - low) / width);
    if (b >= 0 && b < BINS)
      atomic_inc(&bins[b]);
  }
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = get_local_id(0) * 4; b < BINS; b += get_local_size(0) * 4)
    vstore4(vload4(0, bins + b), 0, counts + get_group_id(0) * BINS + b);
}

__kernel void histogram_merge_hand(__global const uint *restrict counts, __global uint *restrict histogram, int groups) {
  int b = get_global_id(0) * 4;
  uint4 sum = 0;
  for (int g = 0; g < groups; g++)
    sum += vload4(0, counts + g * BINS + b);
  vstore4(sum, 0, histogram + b);
}
