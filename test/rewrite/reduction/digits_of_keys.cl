// expect: held passes=merge-loads
// expect: held device=mali-bifrost
// Digits counted in local memory, each item in a column of its own, wherever in it its keys send it.
__kernel void digits_of_keys(__global const uint *keys, __global uint *hist, int per, int shift, __local uint *h) {
  int l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
  for (int b = 0; b < 16; ++b)
    h[b * n + l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < per; ++i)
    h[((keys[g * per + i] >> shift) & 15) * n + l]++;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = 0; b < 16; ++b)
    hist[b * get_global_size(0) + g] = h[b * n + l];
}
