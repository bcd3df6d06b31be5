__kernel void shifted(__global float *p, int n) {
  int i = get_global_id(0);
  if (i < n)
    p[i + 1] = p[i] * 2.0f;
}
__kernel void hashed(__global const float *x, __global float *p, int k) {
  int i = get_global_id(0);
  p[(i * k) % 1021] = x[i];
}
__kernel void flags(__global const float *x, __global int *flag) {
  int i = get_global_id(0);
  if (x[i] > 4.0f)
    flag[0] = i;
}
