// expect: refused nothing-pays device=mali-bifrost
// Near miss of rows_with_leaky_branch: the branch stores as well, so it stays a branch.
__kernel void rows_in_two_sums_branch(__global const float *in, __global float *out, __global float *odd, int width) {
  int r = get_global_id(0);
  for (int j = 0; j < width; j++) {
    float v = in[r * width + j];
    if (v < 0.0f) {
      odd[r * width + j] = v;
      v = -v;
    }
    out[r * width + j] = v;
  }
}
