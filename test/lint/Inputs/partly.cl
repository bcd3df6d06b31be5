__kernel void partly(__global float *in, __global float *out, __global float *other, int n) {
  int i = get_global_id(0);
  float v = in[i] + other[i];
  double2 w = v;
  v += w.q + in[0];
  if (i < n)
    out[i] = v;
}

__kernel void hardly(__global float *in, __global float *out) {
  float v = (float4)in[get_global_id(0)] + (float2)(0.0f);
  v = (float3)v + (float2)(1.0f);
  v = (float3)v + (float2)(2.0f);
  v = (float3)v + (float2)(3.0f);
  out[get_global_id(0)] = v;
}

__kernel void counted(__global int *count, int n) {
  int i = get_global_id(0);
  n.q[i] += i + n;
  count[i] += 1;
}
