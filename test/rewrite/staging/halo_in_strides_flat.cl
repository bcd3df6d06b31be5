// expect: held passes=delocalize device=mali-bifrost
// A 5x5 window of a clamped plane: the group walks over its flat tile in strides of itself.
#define SIDE 16
#define REACH 2
__kernel void halo_in_strides_flat(__global const float *plane, __global float *out, __constant float *taps,
                                   int w, int h, __local float *tile) {
  int lx = get_local_id(0), ly = get_local_id(1);
  int gx = get_global_id(0), gy = get_global_id(1);
  int pitch = SIDE + 2 * REACH;
  for (int yy = ly; yy < SIDE + 2 * REACH; yy += SIDE)
    for (int xx = lx; xx < SIDE + 2 * REACH; xx += SIDE) {
      int sx = clamp((int)get_group_id(0) * SIDE + xx - REACH, 0, w - 1);
      int sy = clamp((int)get_group_id(1) * SIDE + yy - REACH, 0, h - 1);
      tile[yy * pitch + xx] = plane[sy * w + sx];
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (gx < w && gy < h) {
    float sum = 0;
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < 5; i++)
        sum = mad(tile[(ly + j) * pitch + lx + i], taps[j * 5 + i], sum);
    out[gy * w + gx] = sum;
  }
}
