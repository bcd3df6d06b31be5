__kernel void raise(__global const short *x, __global short *y, int n) {
  int i = get_global_id(0);
  if (i < n)
    y[i] = x[i] + 5;
}
