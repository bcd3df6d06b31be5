// expect: held
// Monte-Carlo: each item has its own generator state, counts hits and puts the state back.
__kernel void random_walk_pi(__global uint *state, __global int *hits, int trials) {
  int i = get_global_id(0);
  uint s = state[i];
  int h = 0;
  for (int k = 0; k < trials; k++) {
    s = s * 1664525u + 1013904223u;
    float x = (float)(s >> 8) * (1.0f / 16777216.0f);
    s = s * 1664525u + 1013904223u;
    float y = (float)(s >> 8) * (1.0f / 16777216.0f);
    if (x * x + y * y < 1.0f)
      h++;
  }
  state[i] = s;
  hits[i] = h;
}
