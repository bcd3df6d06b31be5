#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void halves(__global const half4 *in, __global half4 *out, half factor) {
  int i = get_global_id(0);
  out[i] = fma(in[i], (half4)(factor), convert_half4(convert_float4(in[i])));
}
__kernel void storage(__global const half *in, __global half *out) {
  vstore_half4(vload_half4(get_global_id(0), in), get_global_id(0), out);
}
