// expect: any
// The difference wraps inside a block, before it is widened: lanes are no sums of 64 bits.
__kernel void widened_after_wrap(__global float *out) {
  uint i = get_global_id(0);
  ulong j = (ulong)(i - 5001u) + 1ul;
  out[i] = j < 100ul ? 1.0f : 2.0f;
}
