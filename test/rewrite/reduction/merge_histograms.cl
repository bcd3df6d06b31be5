// expect: held passes=vectorize
// Sub-histograms become one: each bin is summed by one item.
__kernel void merge_histograms(__global const uint *sub, __global uint *hist, int groups) {
  int bin = get_global_id(0);
  uint sum = 0;
  for (int g = 0; g < groups; g++)
    sum += sub[g * 256 + bin];
  hist[bin] = sum;
}
