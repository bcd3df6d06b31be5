#ifdef WHOLE_GROUP
__kernel void sum(__global const float *in, __global float *out) {
  float s = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = s;
}
#else
__kernel void sum(__global const float *in, __global float *out, __local float *part) {
  size_t l = get_local_id(0);
  part[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t s = get_local_size(0) / 2; s > 0; s /= 2) {
    if (l < s)
      part[l] += part[l + s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = part[0];
}
#endif
__kernel void one(__global float *out) {
  out[get_global_id(0)] = 1.0f;
}
