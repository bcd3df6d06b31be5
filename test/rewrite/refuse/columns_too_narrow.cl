// expect: refused cross-item-dependence
// The last row of one column lies where the first row of the next one does.
__kernel void columns_too_narrow(__global const uint *from, __global uint *to, uint wide, uint high) {
  uint at = get_global_id(0);
  if (at < wide * high) {
    uint column = at % wide;
    uint row = at / wide;
    to[column * (high - 1) + row] = from[at];
  }
}
