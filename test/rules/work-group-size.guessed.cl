// RUN: %{python} %{expect} %s
// GROUP is the host's.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void host(__global float *x) { // miss: the value is unknown here
  x[get_global_id(0)] = 1.0f;
}

__kernel __attribute__((reqd_work_group_size(3, 1, 1))) void three(__global float *x) { // HIT: it requires work-groups of 3
  x[get_global_id(0)] = 1.0f;
}

#define LANES (1 << LOG_LANES)
#define WAVE_GROUP (WAVES * LANES)
__attribute__((reqd_work_group_size(WAVE_GROUP, 1, 1)))
__kernel void computed_from_guesses(__global float *x) { // miss: computed from what the host defines
  x[get_global_id(0)] = 1.0f;
}
