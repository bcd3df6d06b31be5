// expect: held passes=vectorize device=mali-bifrost
// Windows become columns: the flat index is split by two divisions, the store moves along by a pointer in two loops.
__kernel void windows_to_columns(const int n, __global const float *data_im, const int height, const int width,
                     const int ksize, const int pad, const int stride, const int height_col, const int width_col,
                     __global float *data_col) {
  int index = get_global_id(0); if (index < n) {
    int w_out = index % width_col;
    int h_index = index / width_col;
    int h_out = h_index % height_col;
    int channel_in = h_index / height_col;
    int channel_out = channel_in * ksize * ksize;
    int h_in = h_out * stride - pad;
    int w_in = w_out * stride - pad;
    __global float *col = data_col + (channel_out * height_col + h_out) * width_col + w_out;
    __global const float *im = data_im + (channel_in * height + h_in) * width + w_in;
    for (int i = 0; i < ksize; ++i)
      for (int j = 0; j < ksize; ++j) {
        int h = h_in + i;
        int w = w_in + j;
        *col = (h >= 0 && w >= 0 && h < height && w < width) ? im[i * width + j] : 0;
        col += height_col * width_col;
      }
  }
}
