// RUN: clmali-lint --device=mali --fail-on=info --checks=-*,column-major-access %s
// RUN: not clmali-lint --device=mali --fail-on=info --checks=-*,column-major-access --option=column-major-access.MinColumnElements=2 %s
// Three planes: channels, unless columns of two elements count.
__kernel void planes_of_channels(__global uint *out, int plane) {
  int id = get_global_id(0);
  out[id % 3 * plane + id / 3] = id;
}
