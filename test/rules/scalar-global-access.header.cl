// RUN: %{python} %{expect} %s
#include "Inputs/placeholders.h"
__kernel void rows(__global float *out, int w) {
  int row = get_global_id(0) * ROW_OF_HOST;
  out[row + get_global_id(1) * w] = 1.0f; // miss: how far apart neighbours are is the host's
}

__kernel void rows_of_group(__global float *out) {
  int x = get_global_id(1), y = get_global_id(0) * ROW_OF_HOST;
  out[y + x] = 1.0f; // HIT: neighbours in dimension 1 are contiguous
}

__kernel void elements(__global float *out, int w) {
  int i = get_global_id(0) * GIVEN_GROUP + get_global_id(1) * w;
  out[i] = 1.0f; // HIT: neighbours in dimension 0 are contiguous
}

__kernel void offset(__global float *out, int w) {
  int i = get_global_id(0) + ROW_OF_HOST;
  out[i] = 1.0f; // HIT: neighbours in dimension 0 are contiguous
}

__kernel void scaled_twice(__global float *out, int w) {
  int x = ROW_OF_HOST * get_global_id(0);
  int at = x + w * get_global_id(1);
  out[at] = 1.0f; // miss: the same through variables
}

__kernel void rows_are_the_hosts(__global float *out, int w) {
  out[(int)get_global_id(0) * ROW_OF_HOST + w] = 1.0f; // miss: the host gives the stride
}

__kernel void through_a_variable(__global float *out) {
  int pitch = ROW_OF_HOST;
  out[pitch * (int)get_global_id(0)] = 1.0f; // miss: the same
}

__kernel void colours(__global float *out) {
  int first = get_global_id(0) * ROW_OF_HOST;
  for (int c = 0; c < ROW_OF_HOST; ++c)
    out[first + c] = 1.0f; // HIT: neighbours in dimension 0 are contiguous
}

__kernel void planes(__global float *out) {
  int first = get_global_id(0) * ROW_OF_HOST;
  for (int c = 0; c < ROW_OF_HOST; ++c)
    out[ROW_OF_HOST * c + first] = 1.0f; // miss: the loop steps by what the host gives
}
