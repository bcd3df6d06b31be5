// expect: held passes=delocalize device=mali-bifrost
// Tiled product of two matrices in the style of the SDKs: macros, __local arguments, flat tiles.
#define BS 16
#define AS(i, j) As[(j) + (i) * BS]
#define BSH(i, j) Bs[(j) + (i) * BS]
__kernel void product_by_macros(__global float *C, __global float *A, __global float *B, __local float *As,
                     __local float *Bs, int uiWA, int uiWB) {
  int bx = get_group_id(0), by = get_group_id(1);
  int tx = get_local_id(0), ty = get_local_id(1);
  int aBegin = uiWA * BS * by;
  int aEnd = aBegin + uiWA - 1;
  int aStep = BS;
  int bBegin = BS * bx;
  int bStep = BS * uiWB;
  float Csub = 0.0f;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    AS(ty, tx) = A[a + uiWA * ty + tx];
    BSH(ty, tx) = B[b + uiWB * ty + tx];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int k = 0; k < BS; ++k)
      Csub += AS(ty, k) * BSH(k, tx);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  C[get_global_id(1) * get_global_size(0) + get_global_id(0)] = Csub;
}
