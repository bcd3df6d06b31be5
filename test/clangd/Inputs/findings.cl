// Ä 𝄞: characters that UTF-8 and UTF-16 count differently.
__kernel void scale(__global const int *x, __global int *y, int n) {
  int i = get_global_id(0);
  /* 𝄞 */ int v = x[i], w = v > 255 ? 255 : v;
  y[i] = w / n;
  y[i] += w / n; // NOLINT(clmali-integer-division)
}
