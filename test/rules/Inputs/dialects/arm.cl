#pragma OPENCL EXTENSION cl_arm_integer_dot_product_int8 : enable
#pragma OPENCL EXTENSION cl_arm_integer_dot_product_accumulate_int8 : enable
#pragma OPENCL EXTENSION cl_arm_printf : enable
__kernel void products(__global const char4 *a, __global const char4 *b, __global int *out, int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum = arm_dot_acc(a[k], b[k], sum) + arm_dot(a[k], b[k]);
  out[get_global_id(0)] = sum;
}
