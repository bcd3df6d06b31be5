#define identity
#define as_read convert_float
kernel void scale(global const uchar *restrict in, global float *restrict out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = FROM(in[i]) * FACTOR + LAST(in[i]) + WRAP 1.0f;
}
kernel void twice(global const uchar *restrict in, global float *restrict out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = FROM(in[i]) * 2;
}
