// expect: any
// Only the first item of each group works.
__kernel void one_result_per_group(__global const float *in, __global float *out) {
  if (get_local_id(0) == 0) {
    float s = 0.0f;
    int base = get_group_id(0) * get_local_size(0);
    for (int k = 0; k < get_local_size(0); k++)
      s += in[base + k];
    out[get_group_id(0)] = s;
  }
}
