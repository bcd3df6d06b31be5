// expect: held
// Integer quotient and remainder by a run-time divisor.
__kernel void divide_by_argument(__global const uint *a, __global uint *quot, __global uint *rem, uint d, uint n) {
  uint i = get_global_id(0);
  if (i < n) {
    quot[i] = a[i] / d;
    rem[i] = a[i] % d;
  }
}
