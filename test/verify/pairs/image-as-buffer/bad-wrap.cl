// expect: refuted
// why: values above 1 are not kept at 255
// launch: {"kernel": "fade_b", "global": ["gx", "gy"]}
// arguments: [{"name": "dst", "as": "buffer"}]
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void fade_b(__read_only image2d_t a, __global uchar4 *dst, float t) {
  int x = get_global_id(0), y = get_global_id(1);
  int2 n = get_image_dim(a);
  if (x >= n.x || y >= n.y)
    return;
  float4 v = read_imagef(a, nearest, (int2)(x, y)) * t;
  dst[y * n.x + x] = convert_uchar4(v * 255.0f);
}
