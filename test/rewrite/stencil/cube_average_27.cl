// expect: held passes=vectorize
// Mean of 3x3x3 by loops with constant bounds; inner cells only.
__kernel void cube_average_27(__global const float *vol, __global float *res, int nx, int ny, int nz) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x == 0 || y == 0 || z == 0 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1)
    return;
  float s = 0;
  for (int dz = -1; dz < 2; dz++)
    for (int dy = -1; dy < 2; dy++)
      for (int dx = -1; dx < 2; dx++)
        s += vol[((z + dz) * ny + (y + dy)) * nx + (x + dx)];
  res[(z * ny + y) * nx + x] = s * (1.0f / 27.0f);
}
