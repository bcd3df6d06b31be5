#ifndef __OPENCL_VERSION__
#include "made-for-hosts.h"
#endif
inline int NAME(index)(int x, int y) { return y * WIDTH + x; }
KERNEL(copy)(__global const T *from, __global T *to) {
  int i = NAME(index)(get_global_id(0), get_global_id(1));
  to[i] = from[i];
}
__kernel void NAMED(fill, T)(__global T *to) {
  to[get_global_id(0)] = native_divide(SCALE * WEIGHT, 2.0f);
}
