// expect: any
// An inclusive scan of each group with two local buffers.
#define NN 64
__kernel void scan_in_local(__global const int *in, __global int *out) {
  __local int a[NN], b[NN];
  int l = get_local_id(0);
  a[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < NN; d <<= 1) {
    b[l] = l >= d ? a[l] + a[l - d] : a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = b[l];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = a[l];
}
