// expect: held passes=vectorize device=mali-bifrost
// The sum takes what was stored from memory; the second one reads behind a store that may be to the same element.
__kernel void reads_what_it_stored(__global const float *in, __global float *out, __global float *sums, int n, int j) {
  int row = get_global_id(0);
  __global float *to = out + row * n;
  float sum = 0.0f, other = 0.0f;
  for (int k = 0; k < n; ++k) {
    to[k] = in[row * n + k] * 0.5f;
    sum += to[k];
  }
  for (int k = 0; k < n; ++k) {
    to[k] = to[k] + 1.0f;
    to[j % n] = 3.0f;
    other += to[k];
  }
  sums[row] = sum + other;
}
