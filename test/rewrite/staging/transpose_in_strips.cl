// expect: held passes=delocalize device=mali-bifrost
// Four rows for each item of a 32x8 group: the strided copy of a transpose in the style of a tutorial.
#define TD 32
#define BR 8
__kernel void transpose_in_strips(__global const float *idata, __global float *odata, int width, int height) {
  __local float tile[TD][TD + 1];
  int x = get_group_id(0) * TD + get_local_id(0);
  int y = get_group_id(1) * TD + get_local_id(1);
  for (int j = 0; j < TD; j += BR)
    tile[get_local_id(1) + j][get_local_id(0)] = idata[(y + j) * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * TD + get_local_id(0);
  y = get_group_id(0) * TD + get_local_id(1);
  for (int j = 0; j < TD; j += BR)
    odata[(y + j) * height + x] = tile[get_local_id(0)][get_local_id(1) + j];
}
