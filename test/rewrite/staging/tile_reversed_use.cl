// expect: held passes=delocalize device=mali-bifrost
// expect: held
// Each group writes its block in reverse order.
#define G 64
__kernel void tile_reversed_use(__global const uint *in, __global uint *out) {
  __local uint t[G];
  uint l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[G - 1 - l];
}
