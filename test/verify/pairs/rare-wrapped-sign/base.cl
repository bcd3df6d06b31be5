__kernel void hash(__global const short *x, __global short *y) {
  uint i = get_global_id(0);
  int h = (int)(i * 700001u);
  y[i] = h < 0 ? x[i] : x[i] - 7;
}
