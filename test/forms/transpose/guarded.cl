__kernel void transpose(__global const float *restrict in, __global float *restrict out, int w, int h) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  const float v = in[mad24(y, w, x)];
  out[mad24(x, h, y)] = v;
}
