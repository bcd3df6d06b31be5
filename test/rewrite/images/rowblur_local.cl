// expect: held passes=delocalize,coarsen device=mali-bifrost
// A row is staged in local memory with a halo of RADIUS pixels on both sides.
#define RADIUS 4
#define GROUP 64
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
rowblur_local(__read_only image2d_t src, __write_only image2d_t dst, __constant float *weights) {
  const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  __local float4 row[GROUP + 2 * RADIUS];
  int l = get_local_id(0), x = get_global_id(0), y = get_global_id(1);
  row[l + RADIUS] = read_imagef(src, edge, (int2)(x, y));
  if (l < RADIUS) {
    row[l] = read_imagef(src, edge, (int2)(x - RADIUS, y));
    row[l + GROUP + RADIUS] = read_imagef(src, edge, (int2)(x + GROUP, y));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 sum = 0.0f;
  for (int i = 0; i <= 2 * RADIUS; ++i)
    sum += weights[i] * row[l + i];
  if (x < get_image_width(dst))
    write_imagef(dst, (int2)(x, y), sum);
}
