// Six operations on coordinates.
__kernel void turned(__read_only image2d_t in, sampler_t at, __write_only image2d_t out, float c,
                     float s) {
  int x = get_global_id(0), y = get_global_id(1);
  float2 p = (float2)(x * c - y * s, x * s + y * c);
  write_imagef(out, (int2)(x, y), read_imagef(in, at, p));
}
