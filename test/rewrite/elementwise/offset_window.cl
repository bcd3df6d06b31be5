// expect: held passes=vectorize
// The host launches a window of a longer vector with a global offset.
__kernel void offset_window(__global float *data, float k) {
  size_t i = get_global_id(0);
  data[i] = data[i] * k - 1.0f;
}
