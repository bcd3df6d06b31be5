__kernel void product(__global const float2 *restrict a, __global const float2 *restrict b,
                      __global float2 *restrict c, int n) {
  int i = get_global_id(0);
  if (i < n)
    c[i] = (float2)(a[i].x * b[i].x - a[i].y * b[i].y, a[i].x * b[i].y + a[i].y * b[i].x);
}
