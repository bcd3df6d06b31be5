__kernel void scaled(__global const float *in, __global float *out) {
  __local float part[64];
  part[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_local_id(0) * SCALE];
}

__kernel void at_last(__global const float *in, __global float *out) {
  out[get_global_id(0) * SCALE] = in[get_global_id(0)];
  barrier(CLK_GLOBAL_MEM_FENCE);
}
