// RUN: %{python} %{expect} %s
#define TEXEL(i, x, y) read_imagef(i, s, (int2)(x, y))
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void mixes(read_only image2d_t in, read_only image2d_t weights, write_only image2d_t out, int n) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0.0f;
  for (int k = 0; k < n; ++k) {
    sum += TEXEL(weights, 2 * k, 0) * TEXEL(in, at.x + k, at.y); // HIT: the texels of 'weights' are the same for all work-items of a group: 2 of 4 reads
    sum += TEXEL(weights, 2 * k + 1, 0) * TEXEL(in, at.x + k, at.y + 1); // miss: once for each image; 'in' is the work-item's own
  }
  write_imagef(out, at, sum);
}

__kernel void of_group(read_only image2d_t in, read_only image2d_t bins, __global float *out) {
  int k = 0;
  float sum = 0.0f;
  while (k < 16) {
    sum += read_imagef(bins, s, (int2)(k, get_group_id(0))).x; // HIT: the texels of 'bins' are the same
    ++k;
  }
  out[get_global_id(0)] = sum;
}

__kernel void once(read_only image2d_t in, __global float4 *out) {
  out[get_global_id(0)] = read_imagef(in, s, (int2)(3, 0)); // miss: no loop
}

__kernel void of_data(read_only image2d_t in, __global const int *list, __global float4 *out, int n) {
  float4 sum = 0.0f;
  for (int k = 0; k < n; ++k)
    sum += read_imagef(in, s, (int2)(list[k], 0)); // miss: data choose them
  out[get_global_id(0)] = sum;
}
