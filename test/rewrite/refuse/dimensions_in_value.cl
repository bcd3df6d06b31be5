// expect: refused local-id-use
// How many dimensions the host launched goes into the result; the launches of a rewrite have their own.
__kernel void dimensions_in_value(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  out[i] = in[i] * (int)get_work_dim();
}
