__kernel void walk(__global float *x, int n) {
  int i = get_global_id(0);
  uint seed = i;
  rng_state_t state;
  rng_seed(&state, seed);
  float sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += (float)rng_next(&state) / RNG_MAX + (float)rand();
  x[i] = sum;
}

#define FIRST(X) (X.s0)
__kernel void exchange(__global PAIR *x, int n) {
  int i = get_global_id(0);
  PAIR a = x[i], b = x[i + n];
  x[i] = FIRST(a) < FIRST(b) ? a : b;
}
