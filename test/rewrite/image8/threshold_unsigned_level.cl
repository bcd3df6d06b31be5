// expect: held passes=vectorize,narrow device=mali-bifrost
// As threshold_any_level, with an unsigned level, a table by steps and a level for each lane, which is not clamped.
__kernel void threshold_unsigned_level(__global const uchar *in, __global const int *each, __global uchar *out, uint level,
                                       int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  uint v = in[i];
  uchar r = 0;
  if (v > level)
    r = 200;
  if (in[i] <= each[i])
    r += 3;
  out[i] = r;
}
