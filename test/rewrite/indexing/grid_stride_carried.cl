// expect: any
// As a loop with a carried value: each item accumulates over its iterations, weighted by the row.
__kernel void grid_stride_carried(__global const float *in, __global float *out, const int w, const int n) {
  float sum = 0.0f;
  int rows = 0;
  for (int p = get_global_id(0); p < n; p += get_global_size(0)) {
    int y = p / w;
    if (y > rows)
      rows = y;
    sum += in[p] * (float)(rows + p % w);
  }
  out[get_global_id(0)] = sum;
}
