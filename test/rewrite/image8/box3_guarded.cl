// expect: held passes=vectorize
// Mean of 3x3 of a grey image; the border stays as it is in the output.
__kernel void box3_guarded(__global const uchar *in, __global uchar *out, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    int sum = 0;
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++)
        sum += in[(y + j) * width + x + i];
    out[y * width + x] = sum / 9;
  }
}
