// expect: held passes=pin-work-group-size device=powervr-rogue run=pin-work-group-size
// All launches have groups of 64: the kernel may say so.
__kernel void size_of_the_launch(__global const int *in, __global int *out) {
  __local int part[64];
  int l = get_local_id(0);
  part[l] = in[get_global_id(0)] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[63 - l] + part[l];
}
