// RUN: %{python} %{expect} %s
// What an index of the host's macros says of a hot spot is a guess.
__kernel void counts(__global const int *in, __global int *bins) {
  int i = get_global_id(0);
  atomic_inc(&bins[SLOT]); // miss: SLOT may depend on the data
}

__kernel void counts_all(__global const int *in, __global int *bins) {
  atomic_inc(&bins[2]); // HIT: every work-item updates the same element of 'bins'
}
