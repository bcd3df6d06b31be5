// expect: held passes=delocalize device=mali-bifrost
// expect: held
// Matrix times vector: the vector comes through local memory in chunks.
#define CHUNK 64
__kernel void staged_in_a_loop(__global const float *A, __global const float *x, __global float *y, int n) {
  __local float xs[CHUNK];
  int row = get_global_id(0);
  int lid = get_local_id(0);
  float sum = 0.0f;
  for (int base = 0; base < n; base += CHUNK) {
    xs[lid] = x[base + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < CHUNK; ++k)
      sum += A[(base + k) * n + row] * xs[k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[row] = sum;
}
