// Reads, writes and sizes of images, and constant samplers.
// RUN: clmali-model %s | FileCheck %s --match-full-lines

constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
#define NONE (CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST)

float4 at(read_only image2d_t from, sampler_t by, int2 p) {
  return read_imagef(from, by, p);
}
float4 plain(read_only image2d_t from, int2 p) {
  const sampler_t own = NONE;
  return read_imagef(from, own, p);
}
kernel void reads(read_only image2d_t a, read_only image2d_array_t layers, sampler_t given, write_only image2d_t out) {
  const sampler_t own = NONE;
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float4 v = at(a, edge, p) + plain(a, p) + read_imagef(a, own, p) + read_imagef(a, given, convert_float2(p));
  uint4 u = read_imageui(layers, NONE, (int4)(p, 1, 0)) + read_imageui(layers, (int4)(p, 0, 0));
  if (p.x < get_image_width(out) && p.y < get_image_dim(out).y)
    write_imagef(out, p, v + convert_float4(u) * get_image_array_size(layers));
}
kernel void both(read_write image1d_t line, read_only image1d_buffer_t values) {
  int x = get_global_id(0);
  int4 before = read_imagei(line, x);
  write_imagei(line, x, before + read_imagei(values, x));
}

// CHECK:      kernel reads(__read_only image2d_t a, __read_only image2d_array_t layers, sampler_t given, __write_only image2d_t out)
// CHECK-NEXT:   int2 p = (int2)(<int>get_global_id(0), <int>get_global_id(1))
// CHECK-NEXT:   float4 at_result = read_imagef(a, edge{18}, p)
// CHECK-NEXT:   float4 plain_result = read_imagef(a, own{16}, p)
// CHECK-NEXT:   float4 v = (((at_result + plain_result) + read_imagef(a, own{16}, p)) + read_imagef(a, given, (float2)p))
// CHECK-NEXT:   uint4 u = (read_imageui(layers, own{16}, (int4)(p, 1, 0)) + read_imageui(layers, (int4)(p, 0, 0)))
// CHECK-NEXT:   if ((((p).s0 < get_image_width(out)) && ((p).s1 < (get_image_dim(out)).s1))) {
// CHECK-NEXT:     write_imagef(out, p, (v + ((float4)u * <float4><float>get_image_array_size(layers))))
// CHECK-NEXT:   }
// CHECK:      kernel both(__read_write image1d_t line, __read_only image1d_buffer_t values)
// CHECK-NEXT:   int x = <int>get_global_id(0)
// CHECK-NEXT:   int4 before = read_imagei(line, x)
// CHECK-NEXT:   write_imagei(line, x, (before + read_imagei(values, x)))
// CHECK-NEXT:   ! opaque: image that is read and written
