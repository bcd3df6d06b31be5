#include "bytes.h"
__kernel void use(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  out[i] = half_of(in[i]);
}
__kernel void own(__global const uchar *in, __global uchar *out) {
  int i = get_global_id(0);
  out[i] = half_of(in[i]) + in[i];
}
