// expect: held passes=delocalize device=mali-bifrost
// A square tile and a flat work-group: rows and columns by shift and mask.
__kernel void flat_group_transposed(__global const float *src, __global float *dst, int w) {
  __local float t[16][17];
  int lid = get_local_id(0);
  int r = lid >> 4, c = lid & 15;
  int bx = get_group_id(0) % (w / 16), by = get_group_id(0) / (w / 16);
  t[r][c] = src[(by * 16 + r) * w + bx * 16 + c];
  barrier(CLK_LOCAL_MEM_FENCE);
  dst[(bx * 16 + r) * w + by * 16 + c] = t[c][r];
}
