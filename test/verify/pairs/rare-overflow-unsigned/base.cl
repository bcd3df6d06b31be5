// The product wraps; nothing overflows.
__kernel void wrapped(__global const int *in, __global uint *out, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int square = (int)((uint)in[i] * (uint)in[i]);
    out[i] = (uint)(square % 7);
  }
}
