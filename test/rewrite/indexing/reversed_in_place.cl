// expect: held passes=vectorize
// Two ends of a buffer change places. No two items touch one element, since each keeps to its half.
__kernel void reversed_in_place(__global int *v, int n) {
  int i = get_global_id(0);
  if (i < n / 2) {
    int t = v[i];
    v[i] = v[n - 1 - i];
    v[n - 1 - i] = t;
  }
}
