__kernel void lut(__read_only image3d_t table, sampler_t s, __global const float4 *in, __global float4 *out) {
  int i = get_global_id(0);
  float4 c = in[i];
  out[i] = read_imagef(table, s, (float4)(c.xyz, 0.0f));
}
