// RUN: %{python} %{expect} %s
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// A column is summed by each of its work-items.
__kernel void columns(read_only image2d_t src, write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(dst, (int2)(x, 0), read_imagef(src, edge, (int2)(x, y))); // HIT: write to one texel of 'dst'
}
__kernel void rows(read_only image2d_t src, write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  write_imagef(dst, (int2)(x, y), read_imagef(src, edge, (int2)(x, 0))); // miss: a texel of its own
}

// The left neighbour's second texel.
__kernel void pairs(read_only image2d_t src, write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x + 1 >= get_image_width(dst) || y >= get_image_height(dst))
    return;
  float4 v = read_imagef(src, edge, (int2)(x, y));
  write_imagef(dst, (int2)(x, y), v); // HIT: write to one texel of 'dst'
  write_imagef(dst, (int2)(x + 1, y), 0.5f * v);
}
__kernel void apart(read_only image2d_t src, write_only image2d_t dst) {
  int x = 2 * get_global_id(0), y = get_global_id(1);
  if (x + 1 >= get_image_width(dst) || y >= get_image_height(dst))
    return;
  float4 v = read_imagef(src, edge, (int2)(x, y));
  write_imagef(dst, (int2)(x, y), v); // miss: two texels for each work-item
  write_imagef(dst, (int2)(x + 1, y), 0.5f * v);
}

__kernel void transposed(read_only image2d_t src, write_only image2d_t dst) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(dst, at.yx, read_imagef(src, edge, at)); // miss: coordinates are exchanged
}

__kernel void one(write_only image2d_t dst, int n) {
  int x = get_global_id(0);
  if (x == 0)
    write_imagef(dst, (int2)(0, 0), (float4)(n)); // miss: one work-item
  write_imagef(dst, (int2)(0, 1), (float4)(n, x, 0.0f, 0.0f)); // HIT: write to one texel of 'dst'
}

// All store the same: information.
__kernel void flag(write_only image2d_t dst, __global int *found) {
  int x = get_global_id(0);
  found[x] = x;
  write_imagef(dst, (int2)(3, 0), (float4)(1.0f)); // HIT: write the same value to one texel of 'dst'
}

// A slice for each third id.
__kernel void slices(write_only image3d_t dst) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  write_imagef(dst, (int4)(x, y, z, 0), (float4)(z)); // miss: three coordinates
}

// Data choose the texel: not known.
__kernel void scattered(read_only image2d_t src, write_only image2d_t dst) {
  int x = get_global_id(0), y = get_global_id(1);
  int to = (int)read_imagef(src, edge, (int2)(x, y)).x;
  write_imagef(dst, (int2)(to, y), (float4)(x)); // miss: data choose the texel
}
