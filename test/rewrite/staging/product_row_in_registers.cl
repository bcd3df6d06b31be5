// expect: held passes=delocalize device=mali-bifrost
// Parboil-like product: tile of B in local memory, a row of results in registers.
#define TILE_N 16
#define TILE_M 64
__kernel void product_row_in_registers(__global const float *A, int lda, __global const float *B, int ldb,
                         __global float *C, int ldc, int k, float alpha, float beta) {
  __local float b_s[4][TILE_N];
  float c[TILE_N];
  for (int i = 0; i < TILE_N; i++)
    c[i] = 0.0f;
  int mid = get_local_id(1) * get_local_size(0) + get_local_id(0);
  int m = get_group_id(0) * TILE_M + mid;
  int n = get_group_id(1) * TILE_N + get_local_id(0);
  for (int i = 0; i < k; i += 4) {
    b_s[get_local_id(1)][get_local_id(0)] = B[n + (i + get_local_id(1)) * ldb];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 4; j++) {
      float a = A[m + (i + j) * lda];
      for (int kk = 0; kk < TILE_N; kk++)
        c[kk] += a * b_s[j][kk];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  int t = ldc * get_group_id(1) * TILE_N + m;
  for (int i = 0; i < TILE_N; i++)
    C[t + i * ldc] = C[t + i * ldc] * beta + alpha * c[i];
}
