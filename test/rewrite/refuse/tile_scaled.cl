// expect: refused staging-modified|staging-not-a-copy run=delocalize
// The copy is multiplied in place before the neighbours read it.
__kernel void tile_scaled(__global const float *in, __global float *out) {
  __local float t[64];
  int l = get_local_id(0);
  t[l] = in[get_global_id(0)];
  t[l] *= 0.5f;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[l] + t[63 - l];
}
