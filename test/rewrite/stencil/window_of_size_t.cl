// expect: held passes=vectorize,merge-loads
// expect: held passes=vectorize,merge-loads device=mali-bifrost
// Bounds of an unsigned loop move with the work-item; the guard keeps them from wrapping.
__kernel void window_of_size_t(__global const float *in, __global float *out, __constant float *taps, const ulong wide,
                               const ulong high) {
  size_t col = get_global_id(0), row = get_global_id(1);
  if (col < 1 || row < 1 || col > wide - 2 || row > high - 2)
    return;
  float sum = 0.0f;
  size_t k = 0;
  for (size_t r = row - 1; r <= row + 1; ++r)
    for (size_t c = col - 1; c <= col + 1; ++c)
      sum += taps[k++] * in[r * wide + c];
  out[row * wide + col] = sum;
}
