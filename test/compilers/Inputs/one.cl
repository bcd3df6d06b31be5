__kernel void one(__global float *a) { a[get_global_id(0)] *= N; }
