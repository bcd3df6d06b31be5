// expect: held passes=vectorize,coarsen device=mali-bifrost
// Rows of a block are adjacent where its lanes are not.
__kernel void rows_become_columns(__global const float *in, __global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x < w && y < h)
    out[x * h + y] = 2.0f * in[y * w + x];
}
