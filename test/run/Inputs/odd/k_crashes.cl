__kernel void k(__global int *x) {
  int i = get_global_id(0);
  __global int *far = x + (1L << 40);
  x[i] += 1;
  if (x[i] == 3)
    *far = 1;
}
