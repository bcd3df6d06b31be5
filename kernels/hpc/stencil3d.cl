// Seven-point stencil on a volume: one work-item for each point, the border stays.
#ifdef DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
#else
typedef float real;
#endif

__kernel void stencil3d(__global const real *in, __global real *out, real centre, real side, int nx, int ny, int nz) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  int z = get_global_id(2);
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
    int i = (z * ny + y) * nx + x;
    out[i] = centre * in[i] + side * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny]);
  }
}
