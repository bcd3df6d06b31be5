// Work-items of one group: from distance 4 on there is no barrier between the steps.
#define GROUP 256
void add(uint far, uint l, volatile local float *sums) {
  if (l < far)
    sums[l] = sums[l] + sums[l + far];
  if (far >= 8)
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void total(global const float *in, global float *out, uint each, uint n) {
  local float sums[GROUP];
  uint l = get_local_id(0), begin = get_group_id(0) * each;
  float s = 0.0f;
  for (uint i = begin + l; i < begin + each && i < n; i += get_local_size(0))
    s += in[i];
  sums[l] = s;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint far = GROUP / 2; far > 0; far /= 2)
    add(far, l, sums);
  if (l == 0)
    out[get_group_id(0)] = sums[0];
}
