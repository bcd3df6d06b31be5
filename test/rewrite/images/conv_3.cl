// expect: held passes=coarsen device=mali-bifrost
// A convolution with coefficients that all pixels use.
#define N 3
__constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
__kernel void conv_3(__read_only image2d_t src, __write_only image2d_t dst, __constant float *weights) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  int2 size = get_image_dim(dst);
  if (any(at >= size))
    return;
  float4 sum = 0.0f;
  for (int j = 0; j < N; ++j)
    for (int i = 0; i < N; ++i)
      sum += weights[j * N + i] * read_imagef(src, edge, at + (int2)(i - N / 2, j - N / 2));
  write_imagef(dst, at, sum);
}
