__kernel void part(__global const float *x, __global float *y) {
  uint i = get_global_id(0);
  if ((int)(i << 17) < 0)
    return;
  y[i] = x[i] * 3.0f;
}
