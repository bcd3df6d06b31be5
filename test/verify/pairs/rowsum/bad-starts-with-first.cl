// expect: refuted
// why: starts with the first square: -0 and denormals aside, an empty row reads
// launch: {"kernel": "rowsum_4", "global": ["gx"]}
__kernel void rowsum_4(__global const float *a, __global float *out, int w) {
  int y = get_global_id(0);
  float sum = a[y * w] * a[y * w] + 1e-20f;
  for (int x = 1; x < w; ++x)
    sum += a[y * w + x] * a[y * w + x];
  out[y] = sum;
}
