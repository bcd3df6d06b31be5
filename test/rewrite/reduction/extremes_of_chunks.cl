// expect: held passes=vectorize device=mali-bifrost
// The least and the largest of each item's chunk, the last of which is shorter; the loop ends where it meets its end.
__kernel void extremes_of_chunks(__global const short *wave, __global short *least, __global short *most, const uint n, const uint per) {
  const uint p = get_global_id(0);
  const uint a = p * per;
  if (a >= n)
    return;
  const uint z = (a + per < n) ? a + per : n;
  short lo = SHRT_MAX, hi = SHRT_MIN;
  for (uint i = a; i != z; ++i) {
    const short v = wave[i];
    if (v < lo)
      lo = v;
    if (v > hi)
      hi = v;
  }
  least[p] = lo;
  most[p] = hi;
}
