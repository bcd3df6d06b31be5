// expect: any
// As a loop that reads one element again in each iteration, which it changes itself.
__kernel void loop_reloads_what_it_stores(__global float *a, __global const float *b, int n) {
  int i = get_global_id(0);
  float x = a[i];
  for (int k = 0; k < n; ++k) {
    x = x * 0.5f + a[i] + b[i];
    a[i] = x;
  }
}
