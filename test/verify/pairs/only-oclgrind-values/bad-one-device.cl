// expect: not-held
// why: right on one device only
// only: oclgrind-values
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const int *x, __global int *y, __global int *hits) {
  int i = get_global_id(0);
#ifdef POCL_DEVICE_ADDRESS_BITS
  y[i] = x[i] << 1;
#else
  y[i] = x[i] << 2;
#endif
  if (atomic_or(hits, 0) == 77)
    y[i] = 0;
}
