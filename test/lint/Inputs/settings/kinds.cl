#if KIND == 2
__kernel void second(__global float *x) {
  x[get_global_id(0)] = WIDTH;
}
#endif
#if KIND == 1
__kernel void first(__global float *x) {
  x[get_global_id(0)] = WIDTH + 1;
}
#endif
#ifndef SIEVE
__kernel void plain(__global float *x) {
  x[get_global_id(0)] = WIDTH + 2;
}
#else
__kernel void sieved(__global float *x) {
  x[get_global_id(0)] = WIDTH + 3;
}
#endif
