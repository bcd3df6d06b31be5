__kernel void magnitude(__global const short *a, __global const short *b, __global ushort *out) {
  int i = get_global_id(0);
  int d = a[i] - b[i];
  out[i] = (ushort)(d < 0 ? -d : d);
}
