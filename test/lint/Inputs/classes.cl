#include "classes.h"
kernel void scale(global float *x) {
  x[get_global_id(0)] *= SIZE;
}
