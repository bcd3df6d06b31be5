// expect: refused aliasing
// Both inputs are the output's buffer: what is read at 2 * i is what another item writes.
__kernel void three_views_of_one_buffer(__global const uchar *own, __global uchar *out, __global const uchar *apart) {
  int i = get_global_id(0);
  out[i] = own[i] + apart[2 * i];
}
