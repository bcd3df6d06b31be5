// RUN: %{python} %{expect} %s
// What a missing function gives back says nothing of how many work-items there are.
__kernel void price(__global const float *start, __global float *prices, uint n) {
  float s = geometric_mean(n, start);
  prices[0] = s * 2.0f; // miss: the kernel asks for no id, and the host launches one work-item
}

__kernel void price_each(__global const float *start, __global float *prices, uint n) {
  float s = geometric_mean(n, start) + start[get_global_id(0)];
  prices[0] = s * 2.0f; // HIT: two work-items write to one element of 'prices'
}
