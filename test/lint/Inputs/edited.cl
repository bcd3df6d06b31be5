#define KIND 2
#if KIND == 1
#define part x
__kernel void first(__global float *part) {
  part[get_global_id(0)] = 1.0f;
}
#elif KIND == 2
__kernel void second(__global float *x) {
  T part = 2.0f;
  x[get_global_id(0)] = part;
}
#endif
#define FAST
#ifndef FAST
__kernel void slow(__global float *x) {
  x[get_global_id(0)] = 3.0f;
}
#endif
