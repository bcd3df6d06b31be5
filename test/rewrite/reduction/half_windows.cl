// expect: held passes=merge-loads device=mali-bifrost
// Neighbouring halves of one row, summed as float: one vload_halfN, rounded toward zero at the end.
__kernel void half_windows(__global const half *restrict in, __global half *restrict out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h) {
    float sum = 0;
    for (int k = 0; k < 4; ++k)
      sum += vload_half((size_t)(y * (w + 3) + x + k), in);
    vstore_half_rtz(sum * 0.25f, y * w + x, out);
  }
}
