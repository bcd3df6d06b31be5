__kernel void half_group(__global float *x, __local float *part) {
  int l = get_local_id(0);
  part[l] = x[get_global_id(0)];
  if (l < 64)
    barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = part[get_local_size(0) - 1 - l];
}
__kernel void pair(__global float *x) {
  __local float4 part[64];
  int l = get_local_id(0);
  part[l] = (float4)(x[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = vload4(l, (__local float *)part).x;
}
__kernel void alone(__global float *x) {
  if (get_local_id(0) == 0)
    barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = 1.0f;
}
