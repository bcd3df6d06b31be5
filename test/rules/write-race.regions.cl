// RUN: %{python} %{expect} %s
// Regions of local memory that begin at multiples of an argument: an index that a loop scales stays in its region.
__kernel void doubled(__global float *out, __local float *all, int size, int steps) {
  int l = get_local_id(0), stride = 1;
  __local float *x = all, *y = &all[size];
  for (int k = 0; k < steps; ++k) {
    stride <<= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 2)
      y[stride * l + stride / 2 - 1] = x[stride * l + stride / 2 - 1]; // miss: each its own element, of two regions
  }
  out[get_global_id(0)] = y[l];
}

__kernel void next_in_region(__global float *out, __local float *all, int size, int steps) {
  int l = get_local_id(0), stride = 1;
  __local float *y = &all[size];
  for (int k = 0; k < steps; ++k) {
    stride <<= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    y[stride * l] = 0.5f * y[stride * l + stride]; // HIT: two work-items write and read one element of 'all'
  }
  out[get_global_id(0)] = y[l];
}
