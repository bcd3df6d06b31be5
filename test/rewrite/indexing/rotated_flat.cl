// expect: held passes=vectorize
// Rotates a flat image by 90 degrees: the guard bounds the quotient by the height.
__kernel void rotated_flat(__global const uint *from, __global uint *to, uint wide, uint high) {
  uint at = get_global_id(0);
  if (at < wide * high) {
    uint column = at % wide;
    uint row = at / wide;
    to[column * high + (high - 1 - row)] = from[at];
  }
}
