// expect: refused opaque-construct
// A pointer is made from an integer.
__kernel void pointer_through_integer(__global int *a, __global int *b) {
  size_t p = (size_t)a;
  __global int *q = (__global int *)(p + 4 * get_global_id(0));
  b[get_global_id(0)] = *q + 1;
}
