__kernel void masked(__global const uint *x, __global uint *y, uint mask, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    y[i] = (x[i] & mask) + 3u;
}
