// expect: held passes=delocalize device=mali-bifrost
// expect: held
// A product tiled through local memory, orders multiples of the tile.
#define TILE 16
__kernel void product_tiled_16(__global float *C, __global float *A, __global float *B, int wA, int wB) {
  __local float As[TILE][TILE];
  __local float Bs[TILE][TILE];
  int bx = get_group_id(0);
  int by = get_group_id(1);
  int tx = get_local_id(0);
  int ty = get_local_id(1);
  int aBegin = wA * TILE * by;
  int aEnd = aBegin + wA - 1;
  int aStep = TILE;
  int bBegin = TILE * bx;
  int bStep = TILE * wB;
  float Csub = 0.0f;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k)
      Csub += As[ty][k] * Bs[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[get_global_id(1) * get_global_size(0) + get_global_id(0)] = Csub;
}
