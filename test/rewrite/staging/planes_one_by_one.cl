// expect: held passes=delocalize device=mali-bifrost
// 7-point stencil marching in z: the current plane is staged in each iteration, the others stay in registers.
#define TX 16
#define TY 8
__kernel void planes_one_by_one(__global const float *A0, __global float *Anext, int nx, int ny, int nz,
                               float c0, float c1) {
  __local float sh[TY][TX];
  int lx = get_local_id(0), ly = get_local_id(1);
  int i = get_global_id(0), j = get_global_id(1);
  int inside = i > 0 && i < nx - 1 && j > 0 && j < ny - 1;
  float bottom = A0[j * nx + i];
  float current = A0[nx * ny + j * nx + i];
  for (int k = 1; k < nz - 1; k++) {
    sh[ly][lx] = A0[k * nx * ny + j * nx + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float top = A0[(k + 1) * nx * ny + j * nx + i];
    if (inside) {
      float w = lx == 0 ? A0[k * nx * ny + j * nx + i - 1] : sh[ly][lx - 1];
      float e = lx == TX - 1 ? A0[k * nx * ny + j * nx + i + 1] : sh[ly][lx + 1];
      float n = ly == 0 ? A0[k * nx * ny + (j - 1) * nx + i] : sh[ly - 1][lx];
      float s = ly == TY - 1 ? A0[k * nx * ny + (j + 1) * nx + i] : sh[ly + 1][lx];
      Anext[k * nx * ny + j * nx + i] = c1 * (top + bottom + n + s + e + w) - c0 * current;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    bottom = current;
    current = top;
  }
}
