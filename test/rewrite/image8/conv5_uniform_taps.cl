// expect: held passes=vectorize
// 5x5 convolution with integer taps in a buffer, division by an argument's power of two, inner pixels only.
__kernel void conv5_uniform_taps(__global const uchar *input, __constant short *taps, __global uchar *output, int width,
                                 int height, int shift) {
  int x = get_global_id(0) + 2;
  int y = get_global_id(1) + 2;
  if (x >= width - 2 || y >= height - 2)
    return;
  int total = 0;
  for (int ky = 0; ky < 5; ++ky)
    for (int kx = 0; kx < 5; ++kx)
      total += taps[ky * 5 + kx] * input[(y + ky - 2) * width + (x + kx - 2)];
  output[y * width + x] = convert_uchar_sat(total >> shift);
}
