__constant int weight[3] = {77, 150, 29};

__kernel void grey(__global const uchar *restrict rgb, __global uchar *restrict out, int width,
                   int height) {
  const int x = get_global_id(0), y = get_global_id(1);
  if (x < width && y < height) {
    int sum = 0;
    for (int c = 0; c < 3; ++c)
      sum += weight[c] * rgb[(y * width + x) * 3 + c];
    out[y * width + x] = sum >> 8;
  }
}
