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
