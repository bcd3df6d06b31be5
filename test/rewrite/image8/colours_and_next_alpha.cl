// expect: any
// The fourth byte of each pixel is written by the work-item before: no vector of this one may keep it.
__kernel void colours_and_next_alpha(__global const uchar *top, __global uchar *base, int n) {
  int i = get_global_id(0);
  if (i < n) {
    base[4 * i] = top[4 * i] >> 1;
    base[4 * i + 1] = top[4 * i + 1] >> 1;
    base[4 * i + 2] = top[4 * i + 2] >> 1;
    base[4 * i + 7] = top[4 * i + 3] + 9;
  }
}
