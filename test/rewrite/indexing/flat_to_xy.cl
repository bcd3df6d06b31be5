// expect: held
// A flat launch split into row and column by division.
__kernel void flat_to_xy(__global const float *img, __global const float *gainOfRow, __global const float *gainOfCol,
                         __global float *out, int width, int total) {
  int i = get_global_id(0);
  if (i >= total)
    return;
  int x = i % width;
  int y = i / width;
  out[i] = img[i] * gainOfRow[y] * gainOfCol[x];
}
