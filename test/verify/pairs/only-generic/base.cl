__kernel void f(__global const int *x, __global int *y, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    y[i] = x[i] ^ 21;
}
