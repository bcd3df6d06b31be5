__kernel void twice(__global REAL *x) {
  x[get_global_id(0)] *= (REAL)2;
}
