// expect: held passes=vectorize
// Values are changed in place, only by work-items whose own value needs it.
__kernel void clipped_in_place(__global short *x, short low, short high, int n) {
  int i = get_global_id(0);
  if (i < n) {
    if (x[i] < low)
      x[i] = low;
    else if (x[i] > high)
      x[i] = high;
  }
}
