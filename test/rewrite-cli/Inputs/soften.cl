constant sampler_t near = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void soften(read_only image2d_t src, write_only image2d_t dst) {
  local float4 line[66];
  int l = get_local_id(0), x = get_global_id(0), y = get_global_id(1);
  line[l + 1] = read_imagef(src, near, (int2)(x, y));
  if (l == 0)
    line[0] = read_imagef(src, near, (int2)(x - 1, y));
  if (l == 63)
    line[65] = read_imagef(src, near, (int2)(x + 1, y));
  barrier(CLK_LOCAL_MEM_FENCE);
  write_imagef(dst, (int2)(x, y), 0.25f * line[l] + 0.5f * line[l + 1] + 0.25f * line[l + 2]);
}
kernel void volume(global float *out, int w, read_only image3d_t v, sampler_t s) {
  int x = get_global_id(0);
  if (x < w)
    out[x] = read_imagef(v, s, (int4)(x, 0, 0, 0)).x;
}
