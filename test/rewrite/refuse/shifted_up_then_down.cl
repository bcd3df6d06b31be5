// expect: refused narrowing-overflow run=narrow
// The upper bits matter between the two shifts.
__kernel void shifted_up_then_down(__global const uchar *a, __global uchar *b, int up, int down) {
  int i = get_global_id(0);
  int v = a[i];
  v = (v << up) + 12345;
  b[i] = v >> down;
}
