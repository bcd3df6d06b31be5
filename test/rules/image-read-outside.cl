// RUN: %{python} %{expect} %s
__constant sampler_t none = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
__constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void slope(read_only image2d_t in, write_only image2d_t out) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 left = read_imagef(in, none, (int2)(x - 1, y)); // HIT: at the border a coordinate of the read of 'in' is -1, and the sampler has no address mode
  write_imagef(out, (int2)(x, y), read_imagef(in, none, (int2)(x, y)) - left);
}
__kernel void window(read_only image2d_t in, write_only image2d_t out) {
  const sampler_t own = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0.0f;
  for (int j = -2; j <= 2; ++j)
    sum += read_imagef(in, own, (int2)(at.x, at.y + j)); // HIT: a coordinate of the read of 'in' is -2
  write_imagef(out, at, sum);
}
__kernel void without_sampler(read_only image2d_t in, write_only image2d_t out) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(out, (int2)(x, y), read_imagef(in, (int2)(x, y - 3))); // HIT: there is no sampler with an address mode
}

__kernel void clamped(read_only image2d_t in, write_only image2d_t out) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(out, (int2)(x, y), read_imagef(in, edge, (int2)(x - 1, y))); // miss: the sampler clamps
}
__kernel void by_hand(read_only image2d_t in, write_only image2d_t out) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(out, (int2)(x, y), read_imagef(in, none, (int2)(max(x - 1, 0), y))); // miss: max
}
__kernel void guarded(read_only image2d_t in, write_only image2d_t out) {
  int x = get_global_id(0), y = get_global_id(1), xx = x - 1;
  float4 left = 0.0f;
  if (xx >= 0)
    left = read_imagef(in, none, (int2)(xx, y)); // miss: a guard
  write_imagef(out, (int2)(x, y), left);
}
__kernel void inner(read_only image2d_t in, write_only image2d_t out) {
  int x = get_global_id(0) + 1, y = get_global_id(1);
  write_imagef(out, (int2)(x, y), read_imagef(in, none, (int2)(x - 1, y))); // miss: starts at 0
}
__kernel void chosen(read_only image2d_t in, sampler_t given, write_only image2d_t out) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(out, (int2)(x, y), read_imagef(in, given, (int2)(x - 1, y))); // miss: the host's sampler
}
