#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#elif defined(cl_amd_fp64)
#pragma OPENCL EXTENSION cl_amd_fp64 : enable
#else
#error "no fp64"
#endif
__kernel void scale(__global double *x, double factor) { x[get_global_id(0)] *= factor; }
