// expect: held passes=vectorize device=mali-bifrost
// The fourth byte is computed in another way than the others.
__kernel void colours_scaled_alpha_inverted(__global const uchar *restrict in, __global uchar *restrict out, int n) {
  int i = get_global_id(0);
  if (i < n) {
    uchar a = in[4 * i + 3];
    out[4 * i] = in[4 * i] * a >> 8;
    out[4 * i + 1] = in[4 * i + 1] * a >> 8;
    out[4 * i + 2] = in[4 * i + 2] * a >> 8;
    out[4 * i + 3] = 255 - a;
  }
}
