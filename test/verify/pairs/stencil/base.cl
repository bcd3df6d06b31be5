__kernel void stencil(__global const float *u, __global float *v, float c, int w, int h) {
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  int i = y * w + x;
  v[i] = u[i] + c * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - 4.0f * u[i]);
}
