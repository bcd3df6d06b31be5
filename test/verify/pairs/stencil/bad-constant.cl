// expect: refuted
// why: 4.0 became 4.0000005
// launch: {"kernel": "stencil_v4", "global": ["(gx + 3) / 4", "gy"]}
__kernel void stencil_v4(__global const float *u, __global float *v, float c, int w, int h) {
  int x = get_global_id(0) * 4 + 1, y = get_global_id(1) + 1;
  if (x + 4 > w - 1) {
    for (; x < w - 1; ++x) {
      int k = y * w + x;
      v[k] = u[k] + c * (u[k - 1] + u[k + 1] + u[k - w] + u[k + w] - 4.0f * u[k]);
    }
    return;
  }
  int i = y * w + x;
  float4 m = vload4(0, u + i);
  float4 s = vload4(0, u + i - 1) + vload4(0, u + i + 1) + vload4(0, u + i - w) + vload4(0, u + i + w);
  vstore4(m + c * (s - 4.0000005f * m), 0, v + i);
}
