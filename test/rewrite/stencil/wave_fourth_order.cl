// expect: held passes=vectorize
// A wave equation step of fourth order in space: five points each way, three time levels.
__kernel void wave_fourth_order(__global const float *u0, __global const float *um, __global float *up, int nx, int ny, float k) {
  const int ix = get_global_id(0) + 2;
  const int iy = get_global_id(1) + 2;
  if (ix < nx - 2 && iy < ny - 2) {
    const int p = iy * nx + ix;
    float lap = -5.0f * u0[p];
    lap += 1.333333f * (u0[p - 1] + u0[p + 1] + u0[p - nx] + u0[p + nx]);
    lap -= 0.083333f * (u0[p - 2] + u0[p + 2] + u0[p - 2 * nx] + u0[p + 2 * nx]);
    up[p] = 2.0f * u0[p] - um[p] + k * lap;
  }
}
