// expect: refuted
// why: reqd_work_group_size, and no local size in the manifest
// launch: {"kernel": "transpose", "global": ["gx", "gy"]}
__kernel __attribute__((reqd_work_group_size(8, 8, 1)))
void transpose(__global const float *in, __global float *out, int w, int h) {
  __local float tile[8][9];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_group_id(0) * 8 + lx, y = get_group_id(1) * 8 + ly;
  tile[ly][lx] = in[y * w + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * 8 + lx;
  y = get_group_id(0) * 8 + ly;
  out[y * h + x] = tile[lx][ly];
}
