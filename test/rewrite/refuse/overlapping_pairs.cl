// expect: refused racy-original
// Each item writes its element and its neighbour's.
__kernel void overlapping_pairs(__global const int *in, __global int *out, int n) {
  int i = get_global_id(0);
  if (i < n - 1) {
    out[i] = in[i];
    out[i + 1] = in[i] + 1;
  }
}
