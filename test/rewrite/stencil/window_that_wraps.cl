// expect: any
// In the first column the window begins at the largest number there is, and is empty.
__kernel void window_that_wraps(__global const float *in, __global float *out, const ulong wide) {
  size_t col = get_global_id(0);
  if (col + 1 >= wide)
    return;
  float sum = 0.5f;
  for (size_t c = col - 1; c <= col + 1; ++c)
    sum += in[c];
  out[col] = sum;
}
