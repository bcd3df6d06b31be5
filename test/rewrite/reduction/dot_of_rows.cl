// expect: held passes=vectorize
// A group for each row: its items walk the row in strides that need not fit, twice, and hand two sums to the tree.
__kernel void dot_of_rows(__global const float *m, __global const float *v, __global float2 *out, uint width, uint height,
                          __local float *a, __local float *b) {
  uint l = get_local_id(0);
  for (uint y = get_group_id(0); y < height; y += get_num_groups(0)) {
    float sum = 0, squares = 0;
    for (uint x = l; x < width; x += get_local_size(0)) {
      float e = m[y * width + x];
      sum += e * v[x];
      squares += e * e;
    }
    a[l] = sum;
    b[l] = squares;
    for (uint s = get_local_size(0) / 2; s > 0; s >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      if (l < s) {
        a[l] += a[l + s];
        b[l] += b[l + s];
      }
    }
    if (l == 0)
      out[y] = (float2)(a[0], b[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
