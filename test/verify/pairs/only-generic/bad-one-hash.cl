// expect: not-held
// why: a hash of the size, made by a loop, is equal to a number at one size, which the solver finds
// only: generic
// launch: {"kernel": "f", "global": ["gx"], "offset": ["ox"]}
__kernel void f(__global const int *x, __global int *y, uint n) {
  uint i = get_global_id(0), h = n;
  for (int k = 0; k < 2; ++k)
    h = h * 2654435761u + 13;
  if (i < n)
    y[i] = x[i] ^ (h >> 12 == 358855u ? 23 : 21);
}
