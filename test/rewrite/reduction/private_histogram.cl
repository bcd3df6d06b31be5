// expect: any
// A histogram for each item over its own run, kept in private memory (16 bins).
__kernel void private_histogram(__global const uchar *data, __global uint *hist, int run) {
  uint bins[16];
  for (int b = 0; b < 16; b++)
    bins[b] = 0;
  int g = get_global_id(0);
  for (int i = 0; i < run; i++)
    bins[data[g * run + i] >> 4]++;
  for (int b = 0; b < 16; b++)
    hist[g * 16 + b] = bins[b];
}
