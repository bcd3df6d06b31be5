__kernel void rows(__global const float *a, __global float *sums, int w, int pitch) {
  int y = get_global_id(0);
  float sum = 0;
  for (int x = 0; x < w; ++x)
    sum += a[y * pitch + x];
  sums[y] = sum;
}
