// expect: held passes=vectorize
// A box filter over pixels of a struct that skips neighbours outside of the picture and divides by how many there were.
typedef struct {
  unsigned char r, g, b;
} Pixel;

__kernel void box_skips_outside(__global const Pixel *in, __global Pixel *out, int width, int height) {
  int col = get_global_id(0);
  int row = get_global_id(1);
  if (col >= width || row >= height)
    return;
  int r = 0, g = 0, b = 0, count = 0;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      int yy = row + dy, xx = col + dx;
      if (yy < 0 || yy >= height || xx < 0 || xx >= width)
        continue;
      Pixel p = in[yy * width + xx];
      r += p.r;
      g += p.g;
      b += p.b;
      count++;
    }
  }
  Pixel q;
  q.r = r / count;
  q.g = g / count;
  q.b = b / count;
  out[row * width + col] = q;
}
