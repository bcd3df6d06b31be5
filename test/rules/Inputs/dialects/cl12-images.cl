__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void copy(__read_only image2d_t from, __read_only image2d_array_t layers,
                   __read_only image1d_buffer_t line, __write_only image2d_t to) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 p = read_imagef(from, nearest, at) + read_imagef(layers, nearest, (int4)(at, 0, 0));
  p += read_imagef(line, at.x);
  write_imagef(to, at, p / (float4)(get_image_width(from)));
}
