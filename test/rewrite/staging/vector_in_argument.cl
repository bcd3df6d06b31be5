// expect: held passes=delocalize device=mali-bifrost
// The vector in a __local argument, copied once in strided iterations, then one row for each item.
__kernel void vector_in_argument(__global const float *A, __global const float *x, __global float *y, int rows,
                      int cols, __local float *xs) {
  for (int i = get_local_id(0); i < cols; i += get_local_size(0))
    xs[i] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int r = get_global_id(0);
  if (r < rows) {
    float s = 0;
    for (int c = 0; c < cols; c++)
      s += A[r * cols + c] * xs[c];
    y[r] = s;
  }
}
