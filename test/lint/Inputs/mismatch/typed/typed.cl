__kernel void scale(__global float *data, T n, int m) {
  if (get_global_id(0) < n)
    data[get_global_id(0)] *= m;
}
