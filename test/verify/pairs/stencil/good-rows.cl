// expect: held
// why: two rows for each work-item
// launch: {"kernel": "stencil_2", "global": ["gx", "(gy + 1) / 2"]}
__kernel void stencil_2(__global const float *u, __global float *v, float c, int w, int h) {
  int x = get_global_id(0) + 1, y = get_global_id(1) * 2 + 1;
  for (int end = min(y + 2, h - 1); y < end; ++y) {
    int i = y * w + x;
    v[i] = u[i] + c * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - 4.0f * u[i]);
  }
}
