// Has kernels, so it is not prepended. Its rotate_left is a different function.
float rotate_left(float x) { return x; }
__kernel void other(__global float *a) { a[get_global_id(0)] = rotate_left(1.0f); }
