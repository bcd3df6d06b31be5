// expect: held passes=spread-banks device=powervr-rogue run=spread-banks
// One element of sixteen is used: closed up.
__kernel void sixteen_apart(__global const int *in, __global int *out) {
  __local int part[1024];
  int l = get_local_id(0);
  part[l * 16] = in[get_global_id(0)] * 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[(63 - l) * 16] + part[0];
}
