// expect: held passes=vectorize
// expect: held passes=vectorize device=powervr-rogue
// A step of a butterfly: pairs are quotient and remainder of the id apart. The distance is named like a built-in.
__kernel void butterfly_step(__global float *v, const int step) {
  uint t = get_global_id(0);
  uint low = 2 * step * (t / step) + t % step;
  uint high = low + step;
  float a = v[low], b = v[high];
  v[low] = a + b;
  v[high] = a - b;
}
