// expect: held
// A grid-stride loop: fewer items than elements.
__kernel void grid_stride_float(__global const float *a, __global float *b, float s, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0))
    b[i] = a[i] * s + 1.0f;
}
