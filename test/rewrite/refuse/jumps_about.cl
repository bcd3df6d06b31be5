// expect: refused opaque-construct|unstructured-control
// A loop made of goto.
__kernel void jumps_about(__global int *a, int n) {
  int i = get_global_id(0);
  int k = 0;
again:
  a[i] = a[i] * 3 + 1;
  if (++k < n)
    goto again;
}
