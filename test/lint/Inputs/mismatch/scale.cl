__kernel void scale(__global float *data, int n, int m) {
  if ((int)get_global_id(0) < n)
    data[get_global_id(0)] *= m * FACTOR;
}
