// expect: held passes=vectorize device=mali-bifrost
// A switch whose cases fall through: each level adds the steps of the levels below.
__kernel void mixed_by_level(__global const int *in, __global int *out, int level, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  int v = in[i];
  switch (level) {
  default:
    v ^= 0x55;
  case 2:
    v = v * 5 + 1;
  case 1:
    v ^= v >> 7;
    break;
  case 0:
    v = -v;
  }
  switch (v & 3) {
  case 3:
    v += 4;
  case 2:
    v <<= 1;
  }
  out[i] = v;
}
