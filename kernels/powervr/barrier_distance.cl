// The barrier directly follows the write to local memory; arithmetic that needs no other work-item comes after it.
__kernel void barrier_distance(__global const float *in, __global float *out, float a, float b) {
  __local float tile[64];
  int i = get_global_id(0), l = get_local_id(0);
  float v = in[i];
  tile[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  float own = ((v * a + b) * v + a) * v + b;
  out[i] = own + tile[63 - l];
}
