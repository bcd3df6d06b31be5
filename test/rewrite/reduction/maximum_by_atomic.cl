// expect: held passes=vectorize
// The largest value of all.
__kernel void maximum_by_atomic(__global const int *data, __global int *best) {
  atomic_max(best, data[get_global_id(0)]);
}
