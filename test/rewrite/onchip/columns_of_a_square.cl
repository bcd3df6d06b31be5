// expect: held passes=spread-banks,pin-work-group-size device=powervr-rogue run=spread-banks
// Written by rows, read by columns: all columns lie in one bank.
#define S 32
__kernel void columns_of_a_square(__global const int *in, __global int *out) {
  __local int t[S][S];
  int l = get_local_id(0);
  for (int i = 0; i < S; i++)
    t[i][l] = in[get_global_id(0) + i];
  barrier(CLK_LOCAL_MEM_FENCE);
  int s = 0;
  for (int i = 0; i < S; i++)
    s = s * 3 + t[l][i];
  out[get_global_id(0)] = s;
}
