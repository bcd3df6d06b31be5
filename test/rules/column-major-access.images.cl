// RUN: %{python} %{expect} %s
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void halves(read_only image2d_t in, write_only image2d_t out, int width) {
  int plane = get_global_id(0), x = get_global_id(1), y = get_global_id(2);
  int2 at = (int2)(plane * width + x, y);
  float4 v = read_imagef(in, s, at); // HIT: neighbours in dimension 0 access texels of 'in' that are
  write_imagef(out, at, 0.5f * v); // HIT: neighbours in dimension 0 access texels of 'out' that are
}

__kernel void ordered(read_only image2d_t in, write_only image2d_t out, int width) {
  int x = get_global_id(0), plane = get_global_id(1), y = get_global_id(2);
  int2 at = (int2)(mad24(plane, width, x), y);
  write_imagef(out, at, 0.5f * read_imagef(in, s, at)); // miss: dimension 0 is x
}

__kernel void columns(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(1), get_global_id(0));
  write_imagef(out, at, 0.5f * read_imagef(in, s, at)); // miss: a row further down is near in a tiled image
}
