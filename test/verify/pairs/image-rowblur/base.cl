const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define R 4
__kernel void rowblur(__read_only image2d_t src, __write_only image2d_t dst) {
  __local float4 row[16 + 2 * R];
  int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0);
  row[l + R] = read_imagef(src, edge, (int2)(x, y));
  if (l < R) {
    row[l] = read_imagef(src, edge, (int2)(x - R, y));
    row[l + 16 + R] = read_imagef(src, edge, (int2)(x + 16, y));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 sum = 0.0f;
  for (int i = 0; i <= 2 * R; ++i)
    sum += row[l + i];
  if (x < get_image_width(dst))
    write_imagef(dst, (int2)(x, y), sum / (2 * R + 1));
}
