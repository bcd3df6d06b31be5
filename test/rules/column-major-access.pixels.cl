// RUN: not clmali-lint --device=mali --fail-on=info --checks=-*,column-major-access %s
// RUN: clmali-lint --device=mali --fail-on=info --checks=-*,column-major-access --option=column-major-access.MaxPixelElements=1 %s
// A pixel of four elements: columns of single elements are asked for.
__kernel void columns_of_pixels(__global uchar *image, int w, int h) {
  int id = get_global_id(0);
  int y = id % h, x = id / h;
  image[(y * w + x) * 4] = 1;
}
