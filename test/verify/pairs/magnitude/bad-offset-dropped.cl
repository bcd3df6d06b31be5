// expect: refuted
// why: the global offset is forgotten
// launch: {"kernel": "magnitude_v8", "when": "gx >= 8 && ox % 8 == 0", "global": ["gx / 8"]}
// launch: {"kernel": "magnitude", "when": "gx % 8 != 0 && ox % 8 == 0", "global": ["gx % 8"], "offset": ["ox + gx - gx % 8"]}
// launch: {"kernel": "magnitude", "when": "ox % 8 != 0", "global": ["gx"], "local": ["lx"], "offset": ["ox"]}
__kernel void magnitude(__global const short *a, __global const short *b, __global ushort *out) {
  int i = get_global_id(0);
  int d = a[i] - b[i];
  out[i] = (ushort)(d < 0 ? -d : d);
}
__kernel void magnitude_v8(__global const short *a, __global const short *b, __global ushort *out) {
  int i = get_global_id(0);
  vstore8(abs_diff(vload8(i, a), vload8(i, b)), i, out);
}
