// expect: held passes=delocalize device=mali-bifrost
// Columns of a separable filter, tile padded by one.
#define RADIUS 4
#define BX 16
#define BY 8
#define STEPS 4
#define HALO 1
__kernel void filter_columns_padded(__global float *dst, __global const float *src, __constant float *taps,
                        int w, int h, int pitch) {
  __local float data[BX][(STEPS + 2 * HALO) * BY + 1];
  const int baseX = get_group_id(0) * BX + get_local_id(0);
  const int baseY = (get_group_id(1) * STEPS - HALO) * BY + get_local_id(1);
  src += baseY * pitch + baseX;
  dst += baseY * pitch + baseX;
  for (int i = HALO; i < HALO + STEPS; i++)
    data[get_local_id(0)][get_local_id(1) + i * BY] = src[i * BY * pitch];
  for (int i = 0; i < HALO; i++)
    data[get_local_id(0)][get_local_id(1) + i * BY] = (baseY + i * BY >= 0) ? src[i * BY * pitch] : 0;
  for (int i = HALO + STEPS; i < HALO + STEPS + HALO; i++)
    data[get_local_id(0)][get_local_id(1) + i * BY] = (baseY + i * BY < h) ? src[i * BY * pitch] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = HALO; i < HALO + STEPS; i++) {
    float sum = 0;
    for (int j = -RADIUS; j <= RADIUS; j++)
      sum += taps[RADIUS - j] * data[get_local_id(0)][get_local_id(1) + i * BY + j];
    dst[i * BY * pitch] = sum;
  }
}
