// RUN: %{python} %{expect} %s
// An access that swapping dimensions would change together with the first buffer is reported at its own location.

__kernel void blur(__global const float *in, __global const float *weights, __global float *out, int w, int n) {
  int row = get_global_id(0), column = get_global_id(1);
  float s = 0.0f;
  for (int k = 0; k < n; ++k)
    s += in[row * w + column] * weights[k]; // HIT: 'in' is walked down its columns
  out[row * w + column] = s; // HIT: 'out' is walked down its columns, too
}

__kernel void one_line(__global const float *in, __global float *out, int w) {
  int row = get_global_id(0), column = get_global_id(1);
  out[row * w + column] = in[row * w + column]; // HIT: 'out' is walked down its columns
}

__kernel void same_buffer(__global float *in, int w) {
  int row = get_global_id(0), column = get_global_id(1);
  float s = in[row * w + column] * 2.0f; // HIT: 'in' is walked down its columns
  in[row * w + column] = s; // miss: already reported
}

__kernel void another_form(__global const float *in, __global const float *columns, __global float *out, int w) {
  int row = get_global_id(0), column = get_global_id(1);
  float s = in[row * w + column]; // HIT: 'in' is walked down its columns
  out[row] = s * columns[column]; // miss: these are along one dimension each
}

__kernel void right_way(__global const float *in, __global float *out, int w) {
  int column = get_global_id(0), row = get_global_id(1);
  float s = in[row * w + column]; // miss: along dimension 0
  out[row * w + column] = s; // miss: along dimension 0
}

__kernel void for_all(__global const float *in, __global float *out, int w) {
  int column = get_global_id(0), row = get_global_id(1);
  float s = in[row * w]; // miss: the same for all of dimension 0
  out[row * w + column] = s; // miss: along dimension 0
}
