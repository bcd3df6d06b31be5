// expect: held passes=delocalize device=mali-bifrost
// Halo clamped to the signal's ends, fetched by the first items for both sides.
#define R 4
#define N 128
__kernel void halo_clamped(__global const short *in, __global short *out, int n) {
  __local short s[N + 2 * R];
  int l = get_local_id(0), g = get_global_id(0);
  int last = n - 1;
  s[l + R] = in[min(g, last)];
  if (l < R) {
    s[l] = in[max(g - R, 0)];
    s[l + N + R] = in[min(g + N, last)];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int k = 0; k <= 2 * R; ++k)
    sum += s[l + k];
  if (g < n)
    out[g] = (short)(sum / 9);
}
