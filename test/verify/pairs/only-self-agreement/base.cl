__kernel void f(__global const int *x, __global int *y, __global int *hits) {
  int i = get_global_id(0);
#if defined(__OPTIMIZE__)
  y[i] = 2 * x[i];
#elif defined(POCL_DEVICE_ADDRESS_BITS)
  y[i] = 3 * x[i];
#else
  y[i] = 4 * x[i];
#endif
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
