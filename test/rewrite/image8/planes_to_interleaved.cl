// expect: held
// Three planes of one buffer to interleaved pixels.
__kernel void planes_to_interleaved(__global const uchar *planes, __global uchar *dst, int width, int height) {
  int col = get_global_id(0), row = get_global_id(1);
  int size = width * height;
  int i = row * width + col;
  dst[i * 3] = planes[i];
  dst[i * 3 + 1] = planes[size + i];
  dst[i * 3 + 2] = planes[2 * size + i];
}
