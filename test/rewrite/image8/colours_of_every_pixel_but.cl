// expect: any
// No guard: behind the last pixel's colours the buffer ends.
__kernel void colours_of_every_pixel_but(__global const uchar *top, __global uchar *base) {
  int i = get_global_id(0);
  base[4 * i] = 255 - top[4 * i];
  base[4 * i + 1] = 255 - top[4 * i + 1];
  base[4 * i + 2] = 255 - top[4 * i + 2];
}
