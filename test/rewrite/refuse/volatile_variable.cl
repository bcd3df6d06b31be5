// expect: refused volatile-access
// Someone wants each access of the sum to happen.
__kernel void volatile_variable(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  volatile int sum = in[i];
  sum += in[i] >> 3;
  out[i] = sum;
}
