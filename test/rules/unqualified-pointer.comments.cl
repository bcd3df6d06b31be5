// RUN: %{python} %{expect} %s
// What only a comment speaks of is not used.
__kernel void was_used(__global float *old, __global float *out) { // HIT: 'old' is not used
  int i = get_global_id(0);
  // out[i] = old[i];
  /* old[i] = 0.0f; */
  out[i] = 0.5f;
}

__kernel void is_used(__global float *last, __global float *out) { // miss: written
  int i = get_global_id(0);
  // out[i] = last[i];
  last[i] = out[i];
  out[i] = 0.5f;
}
