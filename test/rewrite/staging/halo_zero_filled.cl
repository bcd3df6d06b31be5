// expect: held passes=delocalize device=mali-bifrost
// expect: held
// Separable row filter: halo outside the row is zero.
#define TILE_W 32
#define R 4
__kernel void halo_zero_filled(__global const float *img, __global float *res, __constant float *kern, int w, int h) {
  __local float line[TILE_W + 2 * R];
  int x = get_global_id(0), y = get_global_id(1);
  int l = get_local_id(0);
  line[l + R] = x < w ? img[y * w + x] : 0.0f;
  if (l < R) {
    line[l] = (x - R >= 0) ? img[y * w + x - R] : 0.0f;
    line[l + TILE_W + R] = (x + TILE_W < w) ? img[y * w + x + TILE_W] : 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x < w) {
    float sum = 0.0f;
    for (int k = -R; k <= R; k++)
      sum += line[l + R + k] * kern[R - k];
    res[y * w + x] = sum;
  }
}
