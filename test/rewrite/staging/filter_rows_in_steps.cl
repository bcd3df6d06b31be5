// expect: held device=mali-bifrost
// Rows of a separable filter: each item stages eight elements and both halos, then writes eight results.
#define RADIUS 8
#define BX 16
#define BY 4
#define STEPS 8
#define HALO 1
__kernel __attribute__((reqd_work_group_size(BX, BY, 1)))
void filter_rows_in_steps(__global float *d_dst, __global const float *d_src, __constant float *c_kernel,
               int w, int h, int pitch) {
  __local float data[BY][(STEPS + 2 * HALO) * BX];
  const int baseX = (get_group_id(0) * STEPS - HALO) * BX + get_local_id(0);
  const int baseY = get_group_id(1) * BY + get_local_id(1);
  d_src += baseY * pitch + baseX;
  d_dst += baseY * pitch + baseX;
  for (int i = HALO; i < HALO + STEPS; i++)
    data[get_local_id(1)][get_local_id(0) + i * BX] = d_src[i * BX];
  for (int i = 0; i < HALO; i++)
    data[get_local_id(1)][get_local_id(0) + i * BX] = (baseX + i * BX >= 0) ? d_src[i * BX] : 0;
  for (int i = HALO + STEPS; i < HALO + STEPS + HALO; i++)
    data[get_local_id(1)][get_local_id(0) + i * BX] = (baseX + i * BX < w) ? d_src[i * BX] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = HALO; i < HALO + STEPS; i++) {
    float sum = 0;
    for (int j = -RADIUS; j <= RADIUS; j++)
      sum += c_kernel[RADIUS - j] * data[get_local_id(1)][get_local_id(0) + i * BX + j];
    d_dst[i * BX] = sum;
  }
}
