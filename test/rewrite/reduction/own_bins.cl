// expect: held passes=vectorize
// expect: held passes=vectorize device=mali-bifrost
// A histogram of each item's own, over a column: the bins of neighbours lie side by side.
__kernel void own_bins(__global const uchar *data, __global uint *out, int per) {
  uint bins[32];
  int t = get_global_id(0), n = get_global_size(0);
  for (int i = 0; i < 32; ++i)
    bins[i] = 0;
  for (int i = 0; i < per; ++i)
    bins[data[i * n + t] & 31]++;
  for (int i = 0; i < 32; ++i)
    out[i * n + t] = bins[i];
}
