// expect: held
// The same with a while loop, unsigned, in place.
__kernel void grid_stride_while(__global uint *v, uint mask, uint n) {
  uint tid = get_global_id(0);
  const uint stride = get_global_size(0);
  while (tid < n) {
    v[tid] = (v[tid] & mask) + 3u;
    tid += stride;
  }
}
