// expect: refused cross-item-dependence
// Pairs at a distance that must be a power of two, which is not guaranteed: otherwise they overlap.
__kernel void exchange_by_distance(__global uint *keys, uint distance, uint up) {
  uint t = get_global_id(0);
  uint low = 2 * t - (t & (distance - 1));
  uint a = keys[low], b = keys[low + distance];
  if ((a > b) == up) {
    uint other = a;
    a = b;
    b = other;
  }
  keys[low] = a;
  keys[low + distance] = b;
}
