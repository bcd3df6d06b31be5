// expect: held passes=delocalize device=mali-bifrost
// Planes of an interleaved buffer by strided async copies, with an event for each.
#define N 32
__kernel void async_strided_events(__global const float *xyz, __global float *out) {
  __local float planes[3][N];
  int g = get_group_id(0), l = get_local_id(0);
  event_t done[3];
  done[0] = async_work_group_strided_copy(planes[0], xyz + 3 * N * g, N, 3, 0);
  done[1] = async_work_group_strided_copy(planes[1], xyz + 3 * N * g + 1, N, 3, 0);
  done[2] = async_work_group_strided_copy(planes[2], xyz + 3 * N * g + 2, N, 3, 0);
  wait_group_events(3, done);
  out[g * N + l] = planes[0][l] * planes[0][(l + 1) % N] + planes[1][l] * planes[2][N - 1 - l];
}
