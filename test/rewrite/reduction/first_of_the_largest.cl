// expect: held passes=merge-loads fp=reassociate
// The position of the largest element, the first of equal ones: the order must stay under every option.
__kernel void first_of_the_largest(__global const float *m, __global int *out, int width) {
  int y = get_global_id(0);
  float best = m[y * width];
  int at = 0;
  for (int x = 1; x < width; ++x)
    if (m[y * width + x] > best) {
      best = m[y * width + x];
      at = x;
    }
  out[y] = at;
}
