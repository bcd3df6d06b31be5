#ifndef ALONE
#define ALONE
#endif
// The second store reads what the first has written where both buffers are one.
__kernel void bounce(__global float *ALONE at, __global float *speed, const int n) {
  int i = get_global_id(0);
  if (i < n) {
    float next = at[i] + speed[i];
    if (next < 0.0f) {
      at[i] = -at[i];
      speed[i] = -speed[i];
    }
  }
}
