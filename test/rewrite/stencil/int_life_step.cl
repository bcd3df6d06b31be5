// expect: held passes=vectorize
// A cellular automaton on bytes with a dead border.
__kernel void int_life_step(__global const uchar *now, __global uchar *then, int w, int h) {
  int x = get_global_id(0);
  int y = get_global_id(1);
  if (x < 1 || x >= w - 1 || y < 1 || y >= h - 1)
    return;
  int o = y * w + x;
  int alive = now[o - w - 1] + now[o - w] + now[o - w + 1] + now[o - 1] + now[o + 1] + now[o + w - 1] + now[o + w] + now[o + w + 1];
  then[o] = (alive == 3 || (alive == 2 && now[o])) ? 1 : 0;
}
