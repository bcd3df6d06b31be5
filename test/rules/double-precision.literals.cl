// RUN: %{python} %{expect} %s
// Only a double variable makes the kernel compute in double where literals are single precision.
__kernel void product_of_literals(__global float *x) {
  int i = get_global_id(0);
  x[i] = 0.0157 * x[i] * 0.1; // HIT: where cl_khr_fp64 is present, the literal makes this float operation
}

__kernel void kept_as_double(__global float *x) {
  int i = get_global_id(0);
  double d = 0.0157 * x[i]; // HIT: where cl_khr_fp64 is present, the literal makes this float operation
  x[i] = d * 0.1;           // HIT: it computes in double precision
}

__kernel void of_floats(__global float *x) {
  int i = get_global_id(0);
  x[i] = 0.0157f * x[i] * 0.1f; // miss: literals of type float
}

__kernel void folded(__global float *x) {
  x[get_global_id(0)] = 2.0 * 3.14; // miss: the compiler computes it
}

__kernel void converted(__global float *x) {
  int i = get_global_id(0);
  x[i] = (float)0.0157 * x[i]; // miss: converted before
}
