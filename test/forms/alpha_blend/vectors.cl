__kernel void blend(__global const uchar *top, __global uchar *base, int n) {
  int i = get_global_id(0);
  if (i < n) {
    uchar4 t = vload4(i, top), b = vload4(i, base);
    int a = t.w, ia = 255 - a;
    b.x = (t.x * a + b.x * ia + 127) / 255;
    b.y = (t.y * a + b.y * ia + 127) / 255;
    b.z = (t.z * a + b.z * ia + 127) / 255;
    vstore4(b, i, base);
  }
}
