#if DIM == 1
__kernel void fill(__global float *x) {
  x[get_global_id(0)] = 0.0f;
}
#elif DIM == 2
__kernel void fill(__global float *x, int pitch) {
  x[get_global_id(1) * pitch + get_global_id(0)] = 0.0f;
}
#endif

#ifndef WAVE
#define WAVE 64
#endif
#if WAVE <= 64
__kernel void small(__global float *x) {
  x[get_global_id(0)] = 1.0f;
}
#else
__kernel void large(__global float *x) {
  x[get_global_id(0)] = 2.0f;
}
#endif

#if 0
__kernel void never(__global float *x) {
  x[get_global_id(0)] = 3.0f;
}
#endif
#define FAST
#ifdef FAST
__kernel void fast(__global float *x) {
  x[get_global_id(0)] = 4.0f;
}
#else
__kernel void slow(__global float *x) {
  x[get_global_id(0)] = 5.0f;
}
#endif
