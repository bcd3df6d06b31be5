// expect: any
// Each work-item copies a row.
__kernel void rows_copied(__global float *dst, int dpitch, __global const float *src, int spitch, int width, int height) {
  int row = get_global_id(0);
  if (row < height)
    for (int c = 0; c < width; c++)
      dst[row * dpitch + c] = src[row * spitch + c];
}
