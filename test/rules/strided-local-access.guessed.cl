// RUN: %{python} %{expect} %s
// GROUP is the host's: how far rows are apart is not known.
__kernel void transpose(__global const float *in, __global float *out, int w) {
  __local float tile[GROUP][GROUP + 1];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0) * w + get_global_id(1)] = tile[x][y]; // miss: rows of an unknown length
}

__kernel void transpose_known(__global const float *in, __global float *out, int w) {
  __local float tile[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0) * w + get_global_id(1)] = tile[x][y]; // HIT: 16 elements apart
}

// The same through a pointer, or a macro that the file computes from it.
#define ROW (GROUP * 2)
__kernel void transpose_argument(__global const float *in, __global float *out, __local float *tile, int w) {
  int x = get_local_id(0), y = get_local_id(1);
  tile[y * ROW + x] = in[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  __local float *column = tile + x * ROW;
  out[get_global_id(0) * w + get_global_id(1)] = column[y]; // miss: rows of an unknown length
}

// In a row of the tile neighbours are two apart, however long it is.
__kernel void pairs(__global const float *in, __global float *out, int w) {
  __local float tile[GROUP][2 * GROUP];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * w + get_global_id(0)] = tile[y][2 * x]; // HIT: 2 elements apart
}

__kernel void steps(__global const float *in, __global float *out, int w) {
  __local float tile[GROUP][2 * GROUP];
  int x = get_local_id(0), y = get_local_id(1);
  tile[y][x] = in[get_global_id(1) * w + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(1) * w + get_global_id(0)] = tile[y][STEP * x]; // miss: the host determines the stride
}
