#pragma OPENCL EXTENSION cl_khr_global_int32_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_byte_addressable_store : enable
#pragma OPENCL EXTENSION cl_amd_printf : enable
__kernel void count(__global const uchar *in, __global int *total, __global uchar *seen) {
  int i = get_global_id(0);
  if (in[i] > (uchar)(7))
    atom_inc(total);
  seen[i] = (uchar)1;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
}
