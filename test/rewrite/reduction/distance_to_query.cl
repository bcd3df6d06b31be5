// expect: held passes=vectorize fp=reassociate
// expect: held passes=vectorize device=mali-bifrost fp=reassociate
// The squared distance of each row to one query: what one item sums up goes in lanes.
__kernel void distance_to_query(__global const float *points, __global const float *query, __global float *out, int dims, int count) {
  int p = get_global_id(0);
  if (p >= count)
    return;
  float sum = 0.0f;
  for (int d = 0; d < dims; ++d) {
    float t = points[p * dims + d] - query[d];
    sum += t * t;
  }
  out[p] = sum;
}
