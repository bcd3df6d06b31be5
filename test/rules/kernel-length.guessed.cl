// RUN: %{python} %{expect} %s
// ROWS and COLUMNS are the host's.
__kernel void fill(__global float *x) { // HIT: setting a work-item up costs as much
  x[get_global_id(0)] = 1.0f;
}

__kernel void guessed(__global float *x) { // miss: how long it is, only the host knows
  float v = x[get_global_id(0)];
  for (int j = 0; j < ROWS; ++j)
    for (int k = 0; k < COLUMNS; ++k)
      v = v * 3.0f + v * v - 1.0f / v + 2.0f;
  x[get_global_id(0)] = v;
}
