// expect: held passes=vectorize,narrow device=mali-bifrost
// A branch on pixels of vectors, in groups with barriers, before an atomic on local memory.
__kernel void pixels_chosen(__global const uchar4 *px, __global uint *bins, int n) {
  __local uint t[256];
  int l = get_local_id(0), g = get_global_id(0);
  t[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar4 p = px[g];
  uint y;
  if (p.w)
    y = (77 * p.x + 150 * p.y + 29 * p.z) >> 8;
  else
    y = 0;
  atomic_inc(&t[y]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[l], t[l]);
}
