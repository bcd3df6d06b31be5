// expect: held passes=vectorize device=mali-midgard
// Sums over all atoms but the own one, whose coordinate was loaded before: the load needs no guard.
__kernel void pairs_without_own(__global const float *x, __global const int *own, __global float *out, int atoms) {
  int c = get_global_id(0);
  int chains = get_global_size(0);
  int a = own[c];
  float mine = x[a * chains + c];
  float sum = 0.0f;
  for (int j = 0; j < atoms; j++) {
    if (j != a) {
      float d = mine - x[j * chains + c];
      sum += 1.0f / (d * d + 0.5f);
    }
  }
  out[c] = sum;
}
