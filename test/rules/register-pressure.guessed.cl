// RUN: %{python} %{expect} %s
// One number that the host gives, WIDTH, says nothing of arrays of other lengths, and all of its own.
__kernel void beside_a_guess(__global const float *in, __global float *out) {
  float row[96]; // HIT: its variables and arrays take about
  int i = get_global_id(0) * WIDTH;
  for (int k = 0; k < 96; ++k)
    row[k] = in[i + k];
  for (int k = 0; k < 96; ++k)
    out[i + k] = row[95 - k];
}

__kernel void of_a_guess(__global const float *in, __global float *out) { // miss: WIDTH is the host's
  float row[6 * WIDTH];
  int i = get_global_id(0) * WIDTH;
  for (int k = 0; k < 6 * WIDTH; ++k)
    row[k] = in[i + k];
  for (int k = 0; k < 6 * WIDTH; ++k)
    out[i + k] = row[6 * WIDTH - 1 - k];
}

typedef struct {
  float of[6 * WIDTH];
} Row;

__kernel void of_a_guess_in_a_structure(__global const float *in, __global float *out) { // miss: WIDTH is the host's
  Row row;
  int i = get_global_id(0) * WIDTH;
  for (int k = 0; k < 6 * WIDTH; ++k)
    row.of[k] = in[i + k];
  for (int k = 0; k < 6 * WIDTH; ++k)
    out[i + k] = row.of[6 * WIDTH - 1 - k];
}
