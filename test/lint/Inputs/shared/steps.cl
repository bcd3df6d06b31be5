#include "state.h"
__kernel void steps(__global State *states, __global float *out) {
  int i = get_global_id(0);
  out[i] = states[i].at.x;
}
