#if __OPENCL_C_VERSION__ >= 200
#define NAME(x) x
#else
#define NAME(x) x
#endif
kernel void NAME(twice)(global const float4 *restrict in, global float4 *restrict out) {
  uint i = get_global_linear_id();
  out[i] = in[i] * 2.0f;
}
