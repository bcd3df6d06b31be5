// expect: held
// The first item's index wraps to the largest value: the guard excludes it, but not its neighbours.
__kernel void index_before_first(__global const float *in, __global float *out, uint n) {
  uint i = (uint)get_global_id(0) + 4294967295u;
  if (i < n)
    out[i] = in[i] * 2.0f;
}
