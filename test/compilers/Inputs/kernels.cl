// Two forms of one filter: a byte for each work-item, and four.
__kernel void scalar(__global const uchar *a, __global uchar *o) {
  int i = get_global_id(0);
  o[i] = (a[i] + 2 * a[i + 1] + a[i + 2] + 2) >> 2;
}

__kernel void vector(__global const uchar *a, __global uchar *o) {
  int i = get_global_id(0) * 4;
  ushort4 l = convert_ushort4(vload4(0, a + i));
  ushort4 m = convert_ushort4(vload4(0, a + i + 1));
  ushort4 r = convert_ushort4(vload4(0, a + i + 2));
  vstore4(convert_uchar4((l + m + m + r + (ushort4)2) >> (ushort4)2), 0, o + i);
}

__kernel void looped(__global const float *a, __global float *o, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i];
  o[get_global_id(0)] = s;
}

__kernel void unrolled(__global const float *a, __global float *o) {
  float s = 0;
  for (int i = 0; i < 4; ++i)
    s += a[i * 64];
  o[get_global_id(0)] = s;
}
