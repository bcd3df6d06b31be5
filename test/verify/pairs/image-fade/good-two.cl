// expect: held
// launch: {"kernel": "fade_2", "global": ["roundup((width(dst) + 1) / 2, 8)", "gy"]}
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void fade_2(__read_only image2d_t a, __read_only image2d_t b, __write_only image2d_t dst, float t) {
  int2 n = get_image_dim(dst);
  int x = 2 * get_global_id(0), y = get_global_id(1);
  if (x >= n.x || y >= n.y)
    return;
  write_imagef(dst, (int2)(x, y), mix(read_imagef(a, nearest, (int2)(x, y)), read_imagef(b, nearest, (int2)(x, y)), t));
  if (x + 1 < n.x)
    write_imagef(dst, (int2)(x + 1, y), mix(read_imagef(a, nearest, (int2)(x + 1, y)), read_imagef(b, nearest, (int2)(x + 1, y)), t));
}
