// Has kernels: nobody pastes it. What it calls rotate_left is another thing.
float rotate_left(float x) { return x; }
__kernel void other(__global float *a) { a[get_global_id(0)] = rotate_left(1.0f); }
