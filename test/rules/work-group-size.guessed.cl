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

// Placeholders: they let the file parse, and the host overrides them.
#ifndef GROUP_X
#define GROUP_X 1
#endif
#if !defined(GROUP_Y)
#define GROUP_Y 1
#endif
__kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1))) void placeholders(__global float *x) { // miss: the host gives the size
  x[get_global_id(0)] = 1.0f;
}

#ifndef TUNED
#define TUNED 3
#endif
__kernel __attribute__((reqd_work_group_size(TUNED, 1, 1))) void tuned(__global float *x) { // HIT: it requires work-groups of 3
  x[get_global_id(0)] = 1.0f;
}

#define ONE 1
__kernel __attribute__((reqd_work_group_size(ONE, 1, 1))) void constant_one(__global float *x) { // HIT: it requires work-groups of 1
  x[get_global_id(0)] = 1.0f;
}
