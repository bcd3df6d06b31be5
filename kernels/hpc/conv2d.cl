// Convolution of an image with a square filter: one work-item for each pixel. Pixels outside count as zero.
#ifndef RADIUS
#define RADIUS 2
#endif
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

__kernel void conv2d(__global const real *in, __global real *out, __constant real *filter, int width, int height) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  real sum = 0;
  for (int dy = -RADIUS; dy <= RADIUS; dy++)
    for (int dx = -RADIUS; dx <= RADIUS; dx++)
      if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height)
        sum += in[(y + dy) * width + x + dx] * filter[(dy + RADIUS) * (2 * RADIUS + 1) + dx + RADIUS];
  out[y * width + x] = sum;
}
