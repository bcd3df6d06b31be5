// expect: held
// Pixels as structs of four bytes.
typedef struct { uchar r, g, b, a; } pixel_t;
__kernel void rgba_struct_grey(__global const pixel_t *src, __global pixel_t *dst, int count) {
  int i = get_global_id(0);
  if (i < count) {
    uchar y = (src[i].r * 77 + src[i].g * 150 + src[i].b * 29) >> 8;
    dst[i].r = y;
    dst[i].g = y;
    dst[i].b = y;
    dst[i].a = src[i].a;
  }
}
