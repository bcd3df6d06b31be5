// expect: any device=mali-bifrost
// Each channel reads what the channel before it has just stored: the order of loads and stores stays.
__kernel void channel_from_channel_before(__global uchar *px, __global uchar *sums, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int sum = px[4 * i];
  for (int c = 1; c < 4; ++c) {
    px[4 * i + c] = (uchar)((px[4 * i + c] + px[4 * i + c - 1] + 1) / 2);
    sum += px[4 * i + c];
    sums[4 * i + c] = (uchar)(sum / 4);
  }
  sums[4 * i] = (uchar)sum;
}
