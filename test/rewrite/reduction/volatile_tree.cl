// expect: held passes=vectorize device=mali-bifrost
// Volatile local memory whose accesses barriers order is ordinary.
__kernel void volatile_tree(__global const int *restrict in, __global int *restrict out, volatile __local int *t, int n) {
  int l = get_local_id(0), size = get_local_size(0);
  int sum = 0;
  for (int k = 0, i = get_group_id(0) * size * 8 + l; k < 8; ++k, i += size)
    if (i < n)
      sum += in[i];
  t[l] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int h = size / 2; h > 0; h /= 2) {
    if (l < h)
      t[l] += t[l + h];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = t[0];
}
