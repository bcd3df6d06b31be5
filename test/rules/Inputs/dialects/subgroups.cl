#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void lanes(global const int *in, global int *out) {
  int i = get_global_id(0);
  int s = sub_group_reduce_add(in[i]) + sub_group_scan_exclusive_add(in[i]);
  out[i] = sub_group_broadcast(s, 0) + get_sub_group_local_id() + get_max_sub_group_size();
}
