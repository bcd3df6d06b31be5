// expect: refuted
// why: mirrored within four
// launch: {"kernel": "pitched_d", "global": ["gx", "gy"], "local": ["lx", "ly"]}
__kernel void pitched_d(__global const int *in, __global int *out, int pitch, __local int *tile) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
  out[y * w + x] = in[y * w + (x ^ 3)];
}
