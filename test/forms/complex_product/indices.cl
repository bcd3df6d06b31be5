__kernel void product(__global const float *a, __global const float *b, __global float *c, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float ar = a[2 * i], ai = a[2 * i + 1], br = b[2 * i], bi = b[2 * i + 1];
  c[2 * i] = ar * br - ai * bi;
  c[2 * i + 1] = ar * bi + ai * br;
}
