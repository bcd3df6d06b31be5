// 16 scalar operations for each operation on a whole vector.
__kernel void mixed(__global const float *a, __global float4 *v, __global float *out) {
  int i = get_global_id(0);
  float x = a[i];
  for (int k = 0; k < 10; ++k)
    x = x * x + 0.5f;
  out[i] = x;
  v[i] = v[i] * 2.0f;
}
