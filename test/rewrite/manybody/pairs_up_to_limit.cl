// expect: any device=mali-midgard
// The element that is skipped was not loaded, and lies behind the end: the load must stay guarded.
__kernel void pairs_up_to_limit(__global const float *x, __global const int *limit, __global float *out, int atoms) {
  int c = get_global_id(0);
  int chains = get_global_size(0);
  int stop = limit[c];
  float first = x[c];
  float sum = 0.0f;
  for (int j = 0; j <= atoms; j++) {
    if (j != stop) {
      float d = first - x[j * chains + c];
      sum += d * d;
    }
  }
  out[c] = sum;
}
