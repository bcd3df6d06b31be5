// expect: held passes=hoist-arithmetic device=powervr-rogue run=hoist-arithmetic
// What follows the second barrier needs no memory.
__kernel void arithmetic_behind(__global const int *in, __global int *out) {
  __local int part[64];
  int l = get_local_id(0), g = get_global_id(0);
  part[l] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  int v = part[63 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  int w = g * 7 + l * l;
  part[l] = v + w;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = part[l ^ 1];
}
