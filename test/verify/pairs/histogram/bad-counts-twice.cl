// expect: refuted
// why: every fourth element is counted twice
// launch: {"kernel": "histogram_4", "global": ["gx / 4"]}
__kernel void histogram_4(__global const uchar *src, __global uint *bins, int n) {
  int i = get_global_id(0) * 4;
  for (int k = i; k <= i + 4 && k < n; ++k)
    atomic_inc(&bins[src[k]]);
}
