// expect: held passes=vectorize
// All squared distances between two sets of points of a few dimensions, points stored feature-major.
__kernel void pairwise_sq_distance(__global const float *a, __global const float *b, __global float *d, int na, int nb, int dims) {
  int j = get_global_id(0);
  int i = get_global_id(1);
  if (i < na && j < nb) {
    float s = 0.0f;
    for (int f = 0; f < dims; f++) {
      float t = a[f * na + i] - b[f * nb + j];
      s += t * t;
    }
    d[i * nb + j] = s;
  }
}
