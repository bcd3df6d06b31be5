__kernel void shift(__global const uint *x, __global uint *y, int level) {
  int i = get_global_id(0);
  y[i] = x[i] + (uint)level;
}
