// expect: held passes=delocalize device=mali-bifrost
// A table is staged and read at places that come from data.
__kernel void table_staged(__global const uchar *src, __global const uchar *lut, __global uchar *dst, int n) {
  __local uchar t[256];
  for (int i = get_local_id(0); i < 256; i += get_local_size(0))
    t[i] = lut[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int g = get_global_id(0);
  if (g < n)
    dst[g] = t[src[g]];
}
