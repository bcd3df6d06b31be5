float turned(float v, __global float *by);
__kernel void strange(__global float *of_strange, __global float *by) {
  int i = get_global_id(0);
  of_strange[i] = turned(of_strange[i], by);
}
