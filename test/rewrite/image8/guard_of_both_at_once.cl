// expect: held device=powervr-rogue
// The guard compares both coordinates at once; three channels by fixed point.
__kernel void guard_of_both_at_once(__global const uchar *src, __global uchar *dst, const int2 size) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  if (!all(at < size))
    return;
  const int p = at.x + at.y * size.x;
  const int y = src[3 * p] - 16, u = src[3 * p + 1] - 128, v = src[3 * p + 2] - 128;
  dst[3 * p] = clamp((298 * y + 409 * v + 128) >> 8, 0, 255);
  dst[3 * p + 1] = clamp((298 * y - 100 * u - 208 * v + 128) >> 8, 0, 255);
  dst[3 * p + 2] = clamp((298 * y + 516 * u + 128) >> 8, 0, 255);
}
