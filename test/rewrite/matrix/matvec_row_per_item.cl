// expect: held
// Matrix times vector: each work-item walks one row.
__kernel void matvec_row_per_item(__global const float *M, __global const float *V, uint width, uint height, __global float *W) {
  uint y = get_global_id(0);
  if (y < height) {
    __global const float *row = M + y * width;
    float dotProduct = 0;
    for (uint x = 0; x < width; ++x)
      dotProduct += row[x] * V[x];
    W[y] = dotProduct;
  }
}
