// expect: any
// Contracted or not, the sum is rounded before it becomes an integer: lanes must do the same.
__kernel void product_in_converted_sum(__global const float *a, __global int *o, float x, float y,
                                       int n) {
  int i = get_global_id(0);
  int s = 0;
  for (int k = 0; k < n; ++k)
    s += (int)(a[i * n + k] + x * y);
  o[i] = s;
}
