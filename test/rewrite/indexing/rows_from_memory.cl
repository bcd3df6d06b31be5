// expect: held passes=vectorize
// Where a picture of a batch starts and how long its rows are is read from memory: the same for neighbours in a row.
__kernel void rows_from_memory(__global const float *in, __global float *out, __global const int *start,
                               __global const int *pitch, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  if (x >= width || y >= height)
    return;
  int at = start[z] + y * pitch[z] + x;
  out[at] = 2.0f * in[at];
}
