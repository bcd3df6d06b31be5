// expect: held passes=vectorize
// Electrostatic potential on a plane of grid points from point charges (x, y, z, q interleaved).
__kernel void potential_on_grid(__global const float *atoms, __global float *grid, int numAtoms, float spacing, float z, int pitch) {
  int xi = get_global_id(0);
  int yi = get_global_id(1);
  float x = spacing * xi;
  float y = spacing * yi;
  float e = 0.0f;
  for (int a = 0; a < numAtoms; a++) {
    float dx = x - atoms[4 * a];
    float dy = y - atoms[4 * a + 1];
    float dz = z - atoms[4 * a + 2];
    e += atoms[4 * a + 3] / sqrt(dx * dx + dy * dy + dz * dz);
  }
  grid[yi * pitch + xi] += e;
}
