__kernel void f(__global const char *x, __global char *y, int n) {
  int i = get_global_id(0);
  char v = x[i] & 63;
  y[i] = i + 1 < n ? min(v, x[i + 1]) : v;
}
