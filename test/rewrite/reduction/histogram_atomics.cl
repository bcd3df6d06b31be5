// expect: held passes=vectorize
// A global histogram.
__kernel void histogram_atomics(__global const uint *data, __global uint *bins, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    atomic_inc(&bins[data[i] & 255]);
}
