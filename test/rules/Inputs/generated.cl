// 16 operations on values computed from ids only.
__kernel void generated(__global uint *out) {
  uint x = get_global_id(0);
  for (int i = 0; i < 8; ++i)
    x = x * 1664525u + 1013904223u;
  out[get_global_id(0)] = x;
}
