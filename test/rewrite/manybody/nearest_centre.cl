// expect: held
// Assigns each point (feature-major) to the nearest of a few centres.
__kernel void nearest_centre(__global const float *feature, __global const float *clusters, __global int *membership, int npoints,
                             int nclusters, int nfeatures) {
  unsigned int point_id = get_global_id(0);
  if (point_id < npoints) {
    int index = 0;
    float min_dist = 3.4e38f;
    for (int i = 0; i < nclusters; i++) {
      float dist = 0;
      for (int l = 0; l < nfeatures; l++)
        dist += (feature[l * npoints + point_id] - clusters[i * nfeatures + l]) *
                (feature[l * npoints + point_id] - clusters[i * nfeatures + l]);
      if (dist < min_dist) {
        min_dist = dist;
        index = i;
      }
    }
    membership[point_id] = index;
  }
}
