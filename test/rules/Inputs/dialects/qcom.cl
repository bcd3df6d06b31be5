#pragma OPENCL EXTENSION cl_qcom_reqd_sub_group_size : enable
#pragma OPENCL EXTENSION cl_qcom_subgroup_shuffle : enable
__attribute__((qcom_reqd_sub_group_size("half")))
__kernel void lanes(__global const float *in, __global float *out) {
  int i = get_global_id(0);
  out[i] = qcom_sub_group_shuffle_down(in[i], 1u, 0, 0.0f);
}
