// expect: held
// launch: {"kernel": "kinds", "global": ["gx", "gy", "gz"]}
const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void kinds(__read_only image1d_t line, __read_only image1d_array_t lines, __read_only image1d_buffer_t list,
                    __read_only image2d_array_t stack, __write_only image2d_array_t dst, int shift) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int4 v = read_imagei(line, edge, x + shift) + read_imagei(lines, edge, (int2)(x, z)) + read_imagei(list, y);
  write_imagei(dst, (int4)(x, y, z, 7), read_imagei(stack, edge, (int4)(x, y, z, 9)) + v);
}
