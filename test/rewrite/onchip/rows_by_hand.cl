// expect: held passes=localize device=powervr-rogue run=localize
// Rows of a tile: one copy for each of them.
#define TX 16
#define TY 8
__kernel void rows_by_hand(__global const float *in, __global float *out, int pitch) {
  __local float s[TY][TX];
  int lx = get_local_id(0), ly = get_local_id(1);
  s[ly][lx] = in[get_global_id(1) * pitch + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * pitch + get_global_id(0)] = s[TY - 1 - ly][TX - 1 - lx];
}
