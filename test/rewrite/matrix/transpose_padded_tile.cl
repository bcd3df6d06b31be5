// expect: held passes=delocalize device=mali-bifrost
// expect: held
// Transposition through a padded tile; works for any width and height.
#define BLOCK_DIM 16
__kernel void transpose_padded_tile(__global float *odata, __global const float *idata, int width, int height) {
  __local float block[BLOCK_DIM][BLOCK_DIM + 1];
  unsigned int xIndex = get_global_id(0);
  unsigned int yIndex = get_global_id(1);
  if ((xIndex < width) && (yIndex < height)) {
    unsigned int index_in = yIndex * width + xIndex;
    block[get_local_id(1)][get_local_id(0)] = idata[index_in];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  xIndex = get_group_id(1) * BLOCK_DIM + get_local_id(0);
  yIndex = get_group_id(0) * BLOCK_DIM + get_local_id(1);
  if ((xIndex < height) && (yIndex < width)) {
    unsigned int index_out = yIndex * height + xIndex;
    odata[index_out] = block[get_local_id(0)][get_local_id(1)];
  }
}
