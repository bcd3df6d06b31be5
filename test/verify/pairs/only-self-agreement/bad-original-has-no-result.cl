// expect: not-held
// why: the original computes something else in every build, as one that is miscompiled does
// only: self-agreement
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const int *x, __global int *y, __global int *hits) {
  int i = get_global_id(0);
#if defined(__OPTIMIZE__)
  y[i] = x[i] << 1;
#elif defined(POCL_DEVICE_ADDRESS_BITS)
  y[i] = 3 * x[i];
#else
  y[i] = x[i] << 2;
#endif
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
