// expect: held
// The dividend wraps at element 5002, and 2^32 is no multiple of w.
__kernel void remainder_of_wrapped_id(__global const float *a, __global float *out, uint w) {
  uint i = get_global_id(0);
  out[i] = a[(i - 5002u) % w] * 2.0f;
}
