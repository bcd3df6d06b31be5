float scaled(float v, __global float *by);
__kernel void declared(__global float *of_declared, __global float *by) {
  int i = get_global_id(0);
  of_declared[i] = scaled(of_declared[i], by);
}
