// expect: held passes=vectorize device=mali-midgard
// The same, with the own atom skipped by continue, and the index of the other one as size_t.
__kernel void pairs_skip_by_continue(__global const float *x, __global const float *charge, __global const uint *own,
                                     __global float *out, uint atoms) {
  size_t c = get_global_id(0);
  uint a = own[c];
  size_t chains = get_global_size(0);
  float mine = x[a * chains + c] * charge[a];
  float sum = 0.0f;
  for (size_t j = 0; j < atoms; ++j) {
    if (a == j)
      continue;
    float d = mine - x[j * chains + c];
    sum += charge[j] * d / (d * d + 0.25f);
  }
  out[c] = sum;
}
