// expect: held passes=vectorize
// A polynomial of degree five by Horner's rule, in place.
__kernel void horner_double(__global double *v, double c0, double c1, double c2, double c3, double c4, double c5, uint count) {
  uint idx = get_global_id(0);
  if (idx < count) {
    double x = v[idx];
    double r = c5;
    r = r * x + c4;
    r = r * x + c3;
    r = r * x + c2;
    r = r * x + c1;
    r = r * x + c0;
    v[idx] = r;
  }
}
