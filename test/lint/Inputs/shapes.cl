#define ROUND 1
#define SQUARE 2
#if SHAPE == ROUND
__kernel void outline(__global float *x) {
  x[get_global_id(0)] = 1.0f;
}
#elif SHAPE == SQUARE
__kernel void outline(__global float *x) {
  x[get_global_id(0)] = 2.0f;
}
#endif
#if (METHOD == BY_ROWS)
__kernel void rows(__global float *x) {
  x[get_global_id(0)] = 3.0f;
}
#else
__kernel void columns(__global float *x) {
  x[get_global_id(0)] = 4.0f;
}
#endif
