// stencil3d by hand: four points along x and two along y for each work-item; rows are loaded once for both.
// items: 8
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef double4 real4;
#else
typedef float real;
typedef float4 real4;
#endif

inline real4 left(real4 v, real before) {
  return (real4)(before, v.s012);
}

inline real4 right(real4 v, real after) {
  return (real4)(v.s123, after);
}

__kernel void stencil3d_hand(__global const real *restrict in, __global real *restrict out, real centre, real side, int nx,
                             int ny, int nz) {
  int x = get_global_id(0) * 4 + 1;
  int y = get_global_id(1) * 2 + 1;
  int z = get_global_id(2);
  if (z == 0 || z >= nz - 1)
    return;
  int plane = nx * ny;
  int i = (z * ny + y) * nx + x;
  if (x + 3 < nx - 1 && y + 1 < ny - 1) {
    real4 above = vload4(0, in + i - nx);
    real4 first = vload4(0, in + i);
    real4 second = vload4(0, in + i + nx);
    real4 below = vload4(0, in + i + 2 * nx);
    real4 sum = left(first, in[i - 1]) + right(first, in[i + 4]) + above + second + vload4(0, in + i - plane) +
                vload4(0, in + i + plane);
    vstore4(centre * first + side * sum, 0, out + i);
    sum = left(second, in[i + nx - 1]) + right(second, in[i + nx + 4]) + first + below +
          vload4(0, in + i + nx - plane) + vload4(0, in + i + nx + plane);
    vstore4(centre * second + side * sum, 0, out + i + nx);
    return;
  }
#ifndef WHOLE_BLOCKS
  for (int dy = 0; dy < 2 && y + dy < ny - 1; dy++)
    for (int dx = 0; dx < 4 && x + dx < nx - 1; dx++) {
      int k = i + dy * nx + dx;
      out[k] = centre * in[k] + side * (in[k - 1] + in[k + 1] + in[k - nx] + in[k + nx] + in[k - plane] + in[k + plane]);
    }
#endif
}
