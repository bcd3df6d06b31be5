// RUN: %{python} %{expect} %s
__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void turn(read_only image2d_t in, write_only image2d_t out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  write_imagef(out, (int2)(h - 1 - y, x), read_imagef(in, s, (int2)(x, y))); // HIT: the coordinates at which 'out' is written are not those of the guard
}
__kernel void transpose(read_only image2d_t in, write_only image2d_t out) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  if (p.x < get_image_width(in) && p.y < get_image_height(in)) {
    uint4 v = read_imageui(in, s, p);
    write_imageui(out, p.yx, v); // HIT: the coordinates at which 'out' is written
  }
}
__kernel void enlarge(read_only image2d_t in, write_only image2d_t big, int w, int h, int factor) {
  int x = get_global_id(0), y = get_global_id(1);
  bool inside = x < w && y < h;
  if (inside)
    write_imagef(big, (int2)(factor * x, factor * y), read_imagef(in, s, (int2)(x, y))); // HIT: the coordinates at which 'big' is written
}

__kernel void plain(read_only image2d_t in, write_only image2d_t out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  write_imagef(out, (int2)(x, y), read_imagef(in, s, (int2)(y, x))); // miss: the guarded ids
}
__kernel void by_size(read_only image2d_t in, write_only image2d_t out, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  int2 size = get_image_dim(out);
  if (y >= size.x || x >= size.y)
    return;
  write_imagef(out, (int2)(h - 1 - y, x), read_imagef(in, s, (int2)(x, y))); // miss: the guard has its size
}
__kernel void exact(read_only image2d_t in, write_only image2d_t out) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(out, (int2)(y, x), read_imagef(in, s, (int2)(x, y))); // miss: no guard
}
__kernel void compared(read_only image2d_t in, write_only image2d_t out, int w, int h) {
  int ox = 2 * get_global_id(0), oy = 2 * get_global_id(1);
  if (ox + 1 < w && oy + 1 < h) {
    float4 v = read_imagef(in, s, (int2)(ox / 2, oy / 2));
    write_imagef(out, (int2)(ox, oy), v); // miss: the coordinates are compared
    write_imagef(out, (int2)(ox + 1, oy + 1), v); // miss: likewise
  }
}
__kernel void packed(read_only image2d_t in, write_only image2d_t out, int blocks, int w) {
  int b = get_global_id(0), x = get_global_id(1), y = get_global_id(2);
  if (b >= blocks || x >= w)
    return;
  int pos = mad24(b, w, x);
  write_imagef(out, (int2)(pos, y), read_imagef(in, s, (int2)(pos, y))); // miss: several ids in one coordinate
}
