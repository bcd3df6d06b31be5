// expect: held device=mali-bifrost
// The sum takes what the same iteration stored from memory.
__kernel void reads_what_it_stored(__global const float *in, __global float *out, __global float *sums, int n) {
  int row = get_global_id(0);
  __global float *to = out + row * n;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    to[k] = in[row * n + k] * 0.5f;
    sum += to[k];
  }
  sums[row] = sum;
}
