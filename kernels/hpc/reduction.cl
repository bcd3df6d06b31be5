// Sum of a vector, in two launches of one kernel: a fixed number of groups writes a partial sum each; then one
// group adds those up. A work-item adds with the stride of the launch, the group's sums meet in a tree.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

__kernel void reduction(__global const real *in, __global real *partial, __local real *scratch, int n) {
  int l = get_local_id(0);
  real sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    sum += in[i];
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
