// expect: held
// why: the complement
// launch: {"kernel": "invert", "global": ["gx", "gy"]}
__kernel void invert(__global const uchar *x, __global uchar *y, int w, int h) {
  int i = get_global_id(0), j = get_global_id(1);
  if (i < w && j < h)
    y[j * w + i] = ~x[j * w + i];
}
