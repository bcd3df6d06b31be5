// expect: held passes=vectorize fp=reassociate
// The largest of a row by a branch, then the sum of exponentials over it; a pointer walks along.
__kernel void softmax_denominator(__global const float *scores, __global float2 *out, uint width) {
  uint row = get_global_id(0);
  __global const float *p = scores + row * width;
  float top = p[0];
  for (uint i = 1; i < width; i++)
    if (p[i] > top)
      top = p[i];
  float sum = 0.0f;
  for (uint i = 0; i < width; i++, p++)
    sum += exp(*p - top);
  out[row] = (float2)(top, sum);
}
