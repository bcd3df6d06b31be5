// expect: held passes=vectorize device=mali-bifrost
// One step of a sorting network in place: of two partners, the smaller number does the work.
__kernel void sorted_by_partners(__global uint *keys, uint distance, uint run) {
  uint i = get_global_id(0);
  uint p = i ^ distance;
  if (p > i) {
    uint a = keys[i];
    uint b = keys[p];
    if ((i & run) == 0) {
      if (a > b) {
        keys[i] = b;
        keys[p] = a;
      }
    } else {
      if (a < b) {
        keys[i] = b;
        keys[p] = a;
      }
    }
  }
}
