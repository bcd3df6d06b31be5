__kernel void other(__global int *x) {
  int i = get_global_id(0), v = x[i];
  x[i] = v < 9 ? v : 9;
}
