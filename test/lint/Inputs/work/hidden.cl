#ifdef WITH_SUM
__kernel void sum(__global float *x) { x[get_global_id(0)] += 1.0f; }
#endif
#if DIM == 2
__kernel void two(__global float *x) { x[get_global_id(1)] = 2.0f; }
#endif
__kernel void shown(__global float *x) { x[get_global_id(0)] *= 2.0f; }
