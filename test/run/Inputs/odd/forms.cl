// Kernels of odd shapes, each with a rewritten form beside it (forms_new.cl).
typedef struct { int a; short b; } pair;
__kernel void structs(pair p, __global const pair *q, __global int *out) {
  int i = get_global_id(0);
  out[i] = p.a * q[i].b + q[i].a;
}
__kernel void solid(__global const int *in, __global int *out) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int at = (z * get_global_size(1) + y) * get_global_size(0) + x;
  out[at] = in[at] * 3 + z;
}
__kernel void moved(__global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = i;
}
__kernel void shared(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] + 1;
}
__kernel void picture(read_only image2d_t in, __global float4 *out) { out[0] = (float4)(0); }
__kernel void fast(__global float *x) { x[get_global_id(0)] *= 0.1f; }
