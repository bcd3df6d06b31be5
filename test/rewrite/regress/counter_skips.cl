// expect: any
// Some iterations count twice: the counter itself is a vector, and goes through memory where lanes diverge.
__kernel void counter_skips(__global const int *in, __global int *out) {
  int i = get_global_id(0);
  int s = 0;
  for (int j = 0; j < 10; j++) {
    s += in[i + j];
    if (in[i + j] < 0)
      j++;
  }
  out[i] = s;
}
