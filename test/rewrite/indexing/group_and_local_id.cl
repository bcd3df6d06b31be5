// expect: held passes=vectorize
// The global index put together from group and local ids.
__kernel void group_and_local_id(__global const float *x, __global float *y, int n) {
  int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i < n)
    y[i] = x[i] * x[i];
}
