// expect: any
// Lanes of a warp play different roles by their local id.
__kernel void warp_lane_roles(__global const int *in, __global int *out) {
  int lane = get_local_id(0) & 31;
  int warp = get_global_id(0) >> 5;
  int v = in[get_global_id(0)];
  if (lane == 31)
    out[warp * 32 + lane] = -v;
  else if (lane > 15)
    out[warp * 32 + lane] = v * lane;
  else
    out[warp * 32 + lane] = v + lane;
}
