// expect: held
// why: whole vectors and a tail, disjoint and in any order
// launch: {"kernel": "stencil_b", "when": "gx >= 4", "global": ["gx / 4", "gy"]}
// launch: {"kernel": "stencil", "when": "gx % 4 != 0", "global": ["gx % 4", "gy"], "offset": ["gx - gx % 4", "0"]}
__kernel void stencil(__global const float *u, __global float *v, float c, int w, int h) {
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  int i = y * w + x;
  v[i] = u[i] + c * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w] - 4.0f * u[i]);
}

__kernel void stencil_b(__global const float *u, __global float *v, float c, int w, int h) {
  int i = (get_global_id(1) + 1) * w + get_global_id(0) * 4 + 1;
  float4 m = vload4(0, u + i);
  vstore4(m + c * (vload4(0, u + i - 1) + vload4(0, u + i + 1) + vload4(0, u + i - w) + vload4(0, u + i + w) - 4.0f * m), 0, v + i);
}
