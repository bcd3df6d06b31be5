// expect: refuted
// why: >= in the tail only: slope times zero is another zero, or no number, where there is one element of it
// launch: {"kernel": "relu_v2", "global": ["(gx + 1) / 2"]}
__kernel void relu_v2(__global const float *x, __global float *y, float slope, int n) {
  int i = get_global_id(0) * 2;
  if (i + 2 <= n) {
    float2 v = vload2(0, x + i);
    vstore2(select(slope * v, v, v > 0.0f), 0, y + i);
  } else {
    y[i] = x[i] >= 0.0f ? x[i] : slope * x[i];
  }
}
