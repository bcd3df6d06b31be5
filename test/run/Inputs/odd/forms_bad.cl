typedef struct { int a; short b; } pair;
// the sign of a field is lost
__kernel void structs(pair p, __global const pair *q, __global int *out) {
  int i = get_global_id(0);
  out[i] = p.a * (ushort)q[i].b + q[i].a;
}
// width and height change places
__kernel void solid(__global const int *in, __global int *out) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int at = (z * get_global_size(0) + y) * get_global_size(1) + x;
  at %= get_global_size(0) * get_global_size(1) * get_global_size(2);
  out[at] = in[at] * 3 + z;
}
// the offset is forgotten
__kernel void moved(__global int *out, int n) {
  int i = get_global_id(0) - get_global_offset(0);
  if (i < n)
    out[i] = i;
}
// reads a neighbour, which another work-item overwrites where both are one buffer
__kernel void shared(__global const int *in, __global int *out) {
  int i = get_global_id(0), last = get_global_size(0) - 1;
  int next = in[min(i + 1, last)];
  out[i] = in[i] + 1 + (next - next);
}
