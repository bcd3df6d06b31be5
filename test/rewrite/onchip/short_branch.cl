// expect: held passes=select device=mali-bifrost run=select
// expect: held passes=select device=powervr-rogue run=select
// The sign decides, and little is computed.
__kernel void short_branch(__global const int *in, __global int *out) {
  int g = get_global_id(0);
  int v = in[g], w;
  if (v < 0) {
    v = -2 * v;
    w = 1;
  } else {
    w = 3;
  }
  out[g] = v * w;
}
