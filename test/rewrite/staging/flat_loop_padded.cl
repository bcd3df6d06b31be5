// expect: held passes=delocalize device=mali-bifrost
// One flat loop over a 20x20 tile whose rows are 21 long; zero outside of the picture.
__kernel void flat_loop_padded(__global const float *src, __global float *dst, int w, int h) {
  __local float t[20 * 21];
  const int l = get_local_id(0) + get_local_id(1) * get_local_size(0);
  const int x0 = (int)(get_group_id(0) * get_local_size(0)) - 2;
  const int y0 = (int)(get_group_id(1) * get_local_size(1)) - 2;
  for (int i = l; i < 400; i += get_local_size(0) * get_local_size(1)) {
    const int r = i / 20;
    const int c = i - r * 20;
    const int gx = x0 + c, gy = y0 + r;
    if (gx >= 0 && gx < w && gy >= 0 && gy < h)
      t[r * 21 + c] = src[gy * w + gx];
    else
      t[r * 21 + c] = 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int gx = get_global_id(0), gy = get_global_id(1);
  if (gx < w && gy < h) {
    float s = 0.0f;
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < 5; i++)
        s += t[(get_local_id(1) + j) * 21 + get_local_id(0) + i];
    dst[gy * w + gx] = s / 25.0f;
  }
}
