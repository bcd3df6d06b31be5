// RUN: %{python} %{expect} %s
__constant float table[4] = {1, 2, 3, 4}; // miss: its size is known

__kernel void argument(__global float4 *x, __constant float *weights) { // HIT: 'weights' is not known at compile time
  x[get_global_id(0)] *= weights[0];
}

__kernel void program(__global float4 *x) {
  x[get_global_id(0)] *= table[0];
}

__kernel void globals(__global float4 *x, __global const float *weights) { // miss: global memory
  x[get_global_id(0)] *= weights[0];
}
