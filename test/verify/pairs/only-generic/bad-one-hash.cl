// expect: not-held
// why: a hash of the size is equal to a number at one size, which the solver finds
// only: generic
// launch: {"kernel": "f", "global": ["gx"], "offset": ["ox"]}
__kernel void f(__global const int *x, __global int *y, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    y[i] = x[i] ^ (n * 2654435761u >> 12 == 897519u ? 23 : 21);
}
