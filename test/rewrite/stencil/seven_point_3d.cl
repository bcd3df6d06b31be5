// expect: held passes=vectorize
// A seven-point stencil in three dimensions; indices by macro.
#define IDX(nx, ny, x, y, z) ((x) + (nx) * ((y) + (ny) * (z)))
__kernel void seven_point_3d(float c0, float c1, __global const float *A0, __global float *Anext, int nx, int ny, int nz) {
  int i = get_global_id(0) + 1;
  int j = get_global_id(1) + 1;
  int k = get_global_id(2) + 1;
  if (i < nx - 1) {
    Anext[IDX(nx, ny, i, j, k)] = (A0[IDX(nx, ny, i, j, k + 1)] + A0[IDX(nx, ny, i, j, k - 1)] + A0[IDX(nx, ny, i, j + 1, k)] +
                                   A0[IDX(nx, ny, i, j - 1, k)] + A0[IDX(nx, ny, i + 1, j, k)] + A0[IDX(nx, ny, i - 1, j, k)]) * c1 -
                                  A0[IDX(nx, ny, i, j, k)] * c0;
  }
}
