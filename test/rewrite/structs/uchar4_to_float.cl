// expect: any
// Pixels as uchar4 to normalized float4.
__kernel void uchar4_to_float(__global const uchar4 *in, __global float4 *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = convert_float4(in[i]) * (1.0f / 255.0f);
}
