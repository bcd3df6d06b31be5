// RUN: %{python} %{expect} %s
__kernel void eight(__global const float *x, __global float *y) {
  int i = get_global_id(0);
  vstore8(vload8(i, x), i, y); // HIT: one access of 'x' reads 256 bits
}

__kernel void elements(__global const int16 *x, __global int16 *y) {
  int i = get_global_id(0);
  y[i] = x[i]; // HIT: one access of 'x' reads 512 bits
}

__kernel void four(__global const float *x, __global float *y) {
  int i = get_global_id(0);
  vstore4(vload4(i, x), i, y); // miss: 128 bits
}

__kernel void bytes(__global const uchar *x, __global uchar *y) {
  int i = get_global_id(0);
  vstore16(vload16(i, x), i, y); // miss: 128 bits
}

__kernel void uniform(__global const float *x, __global float *y) {
  vstore8(vload8(0, x), get_global_id(0), y); // miss: the same for all, no neighbour waits
}

// The use does not matter: components chosen at run time, of the value and of local memory.
__kernel void counted(__global const uchar *x, __global uint *y, uint n) {
  __local ushort2 bins[64][32];
  uint tid = get_local_id(0);
  __global const int16 *wide = (__global const int16 *)x;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    int16 v = wide[i]; // HIT: one access of 'x' reads 512 bits
    for (uint j = 0; j < 16; ++j)
      bins[v[j] >> 1 & 63][tid & 31][v[j] & 1]++;
  }
  y[get_global_id(0)] = bins[tid][0].x;
}

__kernel void counted_in_fours(__global const uchar *x, __global uint *y, uint n) {
  __local ushort2 bins[64][32];
  uint tid = get_local_id(0);
  __global const int4 *wide = (__global const int4 *)x;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
    int4 v = wide[i]; // miss: 128 bits
    for (uint j = 0; j < 4; ++j)
      bins[v[j] >> 1 & 63][tid & 31][v[j] & 1]++;
  }
  y[get_global_id(0)] = bins[tid][0].x;
}

// A block for each work-item: the second half of its line waits all the same.
__kernel void blocks(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  __global const int *block = in + (i << 6);
  int8 v = vload8(0, block) + vload8(1, block); // HIT: one access of 'in' reads 256 bits
  out[i] = v.s0 + v.s7;
}

__kernel void blocks_by_fours(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  __global const int *block = in + (i << 6);
  int4 v = vload4(0, block) + vload4(1, block); // miss: 128 bits
  out[i] = v.s0 + v.s3;
}
