__kernel void histogram(__global const uchar *src, __global uint *bins, int n) {
  int i = get_global_id(0);
  if (i < n)
    atomic_inc(&bins[src[i]]);
}
