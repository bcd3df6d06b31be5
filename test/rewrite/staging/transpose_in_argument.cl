// expect: held passes=delocalize device=mali-bifrost
// Transpose through a padded __local argument, guarded on both sides.
#define BD 16
__kernel void transpose_in_argument(__global float *odata, __global float *idata, int offset, int width,
                             int height, __local float *block) {
  unsigned int x = get_global_id(0);
  unsigned int y = get_global_id(1);
  if ((x + offset < width) && (y < height)) {
    unsigned int in = y * width + x + offset;
    block[get_local_id(1) * (BD + 1) + get_local_id(0)] = idata[in];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * BD + get_local_id(0);
  y = get_group_id(0) * BD + get_local_id(1);
  if ((x < height) && (y + offset < width)) {
    unsigned int out = y * height + x;
    odata[out] = block[get_local_id(0) * (BD + 1) + get_local_id(1)];
  }
}
