// expect: held device=mali-bifrost
// Tiled product with guards at the edge of matrices of any size: outside of them the tiles hold zero.
#define TS 8
typedef float DATA_TYPE;
__kernel void product_zero_outside(__global DATA_TYPE *a, __global DATA_TYPE *b, __global DATA_TYPE *c,
                             DATA_TYPE alpha, DATA_TYPE beta, int ni, int nj, int nk) {
  __local DATA_TYPE ta[TS][TS], tb[TS][TS];
  int j = get_global_id(0), i = get_global_id(1);
  int lj = get_local_id(0), li = get_local_id(1);
  DATA_TYPE acc = 0;
  for (int k0 = 0; k0 < nk; k0 += TS) {
    ta[li][lj] = (i < ni && k0 + lj < nk) ? a[i * nk + k0 + lj] : 0;
    tb[li][lj] = (k0 + li < nk && j < nj) ? b[(k0 + li) * nj + j] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TS; k++)
      acc += ta[li][k] * tb[k][lj];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < ni && j < nj)
    c[i * nj + j] = c[i * nj + j] * beta + alpha * acc;
}
