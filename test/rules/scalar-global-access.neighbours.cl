// RUN: not clmali-lint --device=mali --fail-on=info --checks=-*,scalar-global-access %s
// RUN: clmali-lint --device=mali --fail-on=info --checks=-*,scalar-global-access --option=scalar-global-access.MinNeighbours=4 %s
// One work-item uses three elements, so four are suggested.
__kernel void points(__global const float *p, __global float4 *out) {
  int at = get_group_id(0) * 300 + get_local_id(0) * 9;
  out[get_global_id(0)] = (float4)(p[at] * 2.0f + p[at + 1] * 3.0f * p[at + 2]);
}
