// RUN: %{python} %{expect} %s --option=half-accumulator.MaxTrips=64
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void sums(__global const half *a, __global half *out) {
  int i = get_global_id(0);
  half s = 0, t = 0;
  for (int k = 0; k < 64; ++k)
    s += a[k] * a[i + k]; // miss: 64 terms
  for (int k = 0; k < 65; ++k)
    t += a[k] * a[i + k]; // HIT: 't' is a sum in half over 65 terms
  out[i] = s + t;
}
