__kernel void gather(__global const int *p, __global const int *x, __global const float *f, __global int *y,
                     __global float *z) {
  int i = get_global_id(0);
  y[i] = x[p[i]] >> 1;
  z[i] = f[i];
}
