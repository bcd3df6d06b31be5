__kernel void k(__global int *x) {
  int i = get_global_id(0);
  volatile __global int *p = x;
  while (p[i] >= -1000000000)
    p[i] = 0;
  x[i] += 1;
}
