__kernel void sum(__global const float *in, __global float *out) {
  __local float part[GROUP_SIZE];
  int l = get_local_id(0);
  float s = 0;
  for (int i = 0; i < PER_ITEM; ++i)
    s += in[get_global_id(0) * PER_ITEM + i] * SCALE_1 + OFFSET;
  part[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0)
    for (int i = 1; i < GROUP_SIZE; ++i)
      s += part[i];
  out[get_group_id(0)] = s;
}
