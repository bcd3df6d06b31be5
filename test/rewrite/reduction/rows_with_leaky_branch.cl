// expect: held passes=vectorize,merge-loads device=mali-bifrost
// A value that a branch may assign again before it is stored: the branch becomes a selection, so that the stores of
// neighbouring iterations join.
__kernel void rows_with_leaky_branch(__global float *acts, __global const float *b, int width, int stride) {
  int r = get_global_id(0);
  for (int j = 0; j != width; j++) {
    float v = acts[r * stride + j] + b[j];
    if (v < 0.0f)
      v = 0.01f * v;
    acts[r * stride + j] = v;
  }
}
