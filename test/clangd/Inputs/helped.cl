#include "include/helper.h"
__kernel void k(__global int *a, int n) {
  int i = get_global_id(0);
  a[i] = part(a[i], n);
}
