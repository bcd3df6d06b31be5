global float weights[COUNT];
kernel void load(global const float *x) {
  weights[get_global_id(0)] = x[get_global_id(0)];
}
