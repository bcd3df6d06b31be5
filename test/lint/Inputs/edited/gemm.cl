#if METHOD == NAIVE
__kernel void product(__global float *x) {
  x[get_global_id(0)] = EDGE;
}
#elif METHOD == TILED
__kernel void product(__global float *x) {
  x[get_global_id(0)] = 2.0f;
}
#endif
