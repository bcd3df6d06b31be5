// expect: held
// The product of an id changes its sign at element 2148, inside a block of work-items.
__kernel void sign_of_hashed_id(__global const uchar *a, __global uchar *out) {
  uint i = get_global_id(0);
  int h = (int)(i * 1000003u);
  out[i] = h < 0 ? a[i] : 255 - a[i];
}
