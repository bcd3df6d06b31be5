// conv2d by hand, for a radius of 2: four pixels of a row for each work-item. A row of the window is one load of eight;
// blocks at the border take the pixels singly.
// items: 4
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
typedef double8 real8;
#else
typedef float real;
typedef float4 real4;
typedef float8 real8;
#endif

inline real pixel(__global const real *in, __constant real *filter, int x, int y, int width, int height) {
  real sum = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++)
      if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
        sum += in[(y + dy) * width + x + dx] * filter[(dy + 2) * 5 + dx + 2];
  return sum;
}

__kernel void conv2d_hand(__global const real *restrict in, __global real *restrict out, __constant real *filter, int width,
                          int height) {
  int x = get_global_id(0) * 4;
  int y = get_global_id(1);
  if (x >= 2 && x + 5 < width && y >= 2 && y + 2 < height) {
    real4 sum = 0;
    for (int dy = -2; dy <= 2; dy++) {
      real8 row = vload8(0, in + (y + dy) * width + x - 2);
      __constant real *f = filter + (dy + 2) * 5;
      sum += row.s0123 * f[0];
      sum += row.s1234 * f[1];
      sum += row.s2345 * f[2];
      sum += row.s3456 * f[3];
      sum += row.s4567 * f[4];
    }
    vstore4(sum, 0, out + y * width + x);
    return;
  }
#ifndef WHOLE_BLOCKS
  for (int dx = 0; dx < 4 && x + dx < width; dx++)
    out[y * width + x + dx] = pixel(in, filter, x + dx, y, width, height);
#endif
}
