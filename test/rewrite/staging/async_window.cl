// expect: held passes=delocalize device=mali-bifrost
// The group's window comes by async_work_group_copy.
__kernel void async_window(__global const float *in, __global float *out) {
  __local float tile[66];
  event_t e = async_work_group_copy(tile, in + get_group_id(0) * 64, 66, 0);
  wait_group_events(1, &e);
  int l = get_local_id(0);
  out[get_global_id(0)] = 0.25f * tile[l] + 0.5f * tile[l + 1] + 0.25f * tile[l + 2];
}
