typedef struct { int a; short b; } pair;
__kernel void structs(pair p, __global const pair *q, __global int *out) {
  int i = get_global_id(0);
  pair r = q[i];
  out[i] = r.a + r.b * p.a;
}
__kernel void solid(__global const int *in, __global int *out) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int at = x + get_global_size(0) * (y + get_global_size(1) * z);
  out[at] = z + in[at] + (in[at] << 1);
}
__kernel void moved(__global int *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = i;
}
__kernel void shared(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = 1 + in[i];
}
__kernel void picture(read_only image2d_t in, __global float4 *out) { out[0] = (float4)(0); }
__kernel void fast(__global float *x) { x[get_global_id(0)] *= 0.1f; }
