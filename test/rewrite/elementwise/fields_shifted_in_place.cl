// expect: any
// Four neighbours of one work-item, each computed from the one before: the order of its own stores counts.
__kernel void fields_shifted_in_place(__global int *v) {
  int i = get_global_id(0) * 4;
  v[i + 1] = v[i] + 1;
  v[i + 2] = v[i + 1] * 2;
  v[i + 3] = v[i + 2] - v[i];
  v[i] = 0;
}
