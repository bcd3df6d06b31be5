// expect: held passes=vectorize
// A quarter turn of a flat image: the quotient lies below the height, for the guard says so.
__kernel void rotated_flat(__global const uint *from, __global uint *to, uint wide, uint high) {
  uint at = get_global_id(0);
  if (at < wide * high) {
    uint column = at % wide;
    uint row = at / wide;
    to[column * high + (high - 1 - row)] = from[at];
  }
}
