// RUN: %{python} %{expect} %s
// The placeholders stand in a header of which the kernels use macros only.
#include "Inputs/placeholders.h"
__kernel __attribute__((reqd_work_group_size(GROUP_OF_HOST, 1, 1))) void placeholder(__global float *x) { // miss: the host gives the size
  x[get_global_id(0)] = 1.0f;
}

__kernel __attribute__((reqd_work_group_size(GIVEN_GROUP, 1, 1))) void one_item(__global float *x) { // HIT: it requires work-groups of 1
  x[get_global_id(0)] = 1.0f;
}

__kernel __attribute__((reqd_work_group_size(64, GROUP_OF_HOST, 1))) void whole(__global float *x) { // miss: a multiple for any value
  x[get_global_id(0)] = 1.0f;
}
