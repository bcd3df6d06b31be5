// expect: not-held
// why: the sum leaves 16 bits only where five products are near their largest and four near zero
// only: interval
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const uchar *x, __global const uchar *w, __global int *y,
                __global int *hits) {
  int i = get_global_id(0);
  short s = 0;
  for (int k = 0; k < 9; ++k) {
    short p = (x[i + k] * w[i + k]) >> 3;
    s += k % 2 == 0 ? p : -p;
  }
  y[i] = s;
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
