// expect: refused data-dependent-store
// The same with one digit too many for a column: items meet.
__kernel void digits_beyond_the_column(__global const uint *keys, __global uint *hist, int per, __local uint *h) {
  int l = get_local_id(0), g = get_global_id(0);
  for (int b = 0; b < 16; ++b)
    h[l * 16 + b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < per; ++i)
    h[l * 16 + keys[g * per + i] % 17]++;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int b = 0; b < 16; ++b)
    hist[g * 16 + b] = h[l * 16 + b];
}
