typedef struct {
  float re, im;
} complex;

static complex times(complex p, complex q) {
  complex r;
  r.re = p.re * q.re - p.im * q.im;
  r.im = p.re * q.im + p.im * q.re;
  return r;
}

__kernel void product(__global const complex *a, __global const complex *b, __global complex *c, int n) {
  int i = get_global_id(0);
  if (i < n)
    c[i] = times(a[i], b[i]);
}
