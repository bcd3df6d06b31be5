// RUN: %{python} %{expect} %s
// ROWS and COLUMNS are the host's.
__kernel void fill(__global float *x) { // HIT: setting a work-item up costs as much
  x[get_global_id(0)] = 1.0f;
}

__kernel void guessed(__global float *x) { // miss: the trip count depends on the host
  float v = x[get_global_id(0)];
  for (int j = 0; j < ROWS; ++j)
    for (int k = 0; k < COLUMNS; ++k)
      v = v * 3.0f + v * v - 1.0f / v + 2.0f;
  x[get_global_id(0)] = v;
}

#define FOUR(x) x = x * 3.0f + x * x - 1.0f / x + 2.0f; x = x * x - x * 5.0f + 1.0f; x = x / 3.0f + x * x;
#define MANY(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x)
__kernel void long_anyway(__global float *x, __read_only image2d_t image) { // HIT: it executes at least
  float v = x[get_global_id(0)] + read_imagef(image, (int2)(0, 0)).x;
  for (int j = 0; j < ROWS; ++j) {
    MANY(v) MANY(v) MANY(v) MANY(v) MANY(v) MANY(v) MANY(v) MANY(v) MANY(v)
  }
  x[get_global_id(0)] = v;
}

__kernel void of_an_image(__global float *x, __read_only image2d_t image) { // HIT: it executes about 2 operations
  x[get_global_id(0)] = read_imagef(image, (int2)(get_global_id(0), 0)).x;
}

__kernel void of_a_pipe(__global int *x, __global int *y) { // miss: what cannot be seen may take long
  printf("%s", x[get_global_id(0)] ? "yes" : "no");
}

__kernel void own_rounds(__global float *x) { // HIT: it executes at least
  float v = x[get_global_id(0)] * ROWS;
  for (int j = 0; j < 400; ++j)
    v = v * 3.0f + v * v - 1.0f / v;
  for (int j = 0; j < COLUMNS; ++j)
    v += 1.0f;
  x[get_global_id(0)] = v;
}

__kernel void over_an_image(__global float *x, __read_only image2d_t image, int n) { // miss: a loop of unknown length
  for (int i = 0; i < n; ++i)
    x[get_global_id(0)] += read_imagef(image, (int2)(i, 0)).x;
}

#define ALL \
  (ROWS * 100)
__kernel void rounds_of_two_lines(__global float *x) { // miss: the host's, on another line
  float v = x[get_global_id(0)];
  for (int j = 0; j < ALL; ++j)
    v = v * 3.0f + v * v - 1.0f / v;
  x[get_global_id(0)] = v;
}

__kernel void rounds_in_a_variable(__global float *x) { // miss: the number of rounds is the host's, by another name
  int rounds = ROWS * 100;
  float v = x[get_global_id(0)];
  for (int j = 0; j < rounds; ++j)
    v = v * 3.0f + v * v - 1.0f / v;
  x[get_global_id(0)] = v;
}


__kernel void by_a_macro(__global const float *in, __global float *out) { // miss: the macro's text is the host's
  COMPUTE(in, out, get_global_id(0));
}
