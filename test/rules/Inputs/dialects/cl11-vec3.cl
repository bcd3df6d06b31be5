__kernel void scale(__global const float *in, __global float *out) {
  size_t i = get_global_id(0) + get_global_offset(0);
  float3 v = vload3(i, in);
  event_t e = (event_t)0;
  __local float part[64];
  e = async_work_group_copy(part, in, 64, e);
  wait_group_events(1, &e);
  vstore3(clamp(v * (float3)(2.0f), 0.0f, 1.0f) + part[0], i, out);
}
