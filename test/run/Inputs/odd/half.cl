#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void k(__global half *x) { x[get_global_id(0)] += (half)1; }
