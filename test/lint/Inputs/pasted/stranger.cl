float damped(float x) { return x; }
float user(float x) { return x; }
__kernel void stranger(__global float *a) { a[get_global_id(0)] = damped(1.0f); }
