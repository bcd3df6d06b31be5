// expect: held
// Complex numbers as structs of two floats.
struct cplx { float re; float im; };
__kernel void complex_product(__global const struct cplx *a, __global const struct cplx *b, __global struct cplx *c) {
  size_t i = get_global_id(0);
  c[i].re = a[i].re * b[i].re - a[i].im * b[i].im;
  c[i].im = a[i].re * b[i].im + a[i].im * b[i].re;
}
