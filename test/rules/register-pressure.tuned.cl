// RUN: %{python} %{expect} %s
// Register blocking: Rogue has 80 registers while half of the work-items remain.
__kernel void outer(__global const float4 *a, __global const float4 *b, __global float4 *c, int n) {
  int i = get_global_id(0);
  float s[48]; // HIT(mali-midgard,mali-bifrost,mali-valhall): its variables and arrays take about
  for (int k = 0; k < 48; ++k)
    s[k] = 0.0f;
  for (int t = 0; t < n; ++t) {
    float4 u = a[t * 4 + i], v = b[t * 4 + i], w = b[t * 4 + i + 1];
    float x[4] = {u.x, u.y, u.z, u.w};
    float y[12] = {v.x, v.y, v.z, v.w, w.x, w.y, w.z, w.w, v.x, w.x, v.y, w.y};
    for (int p = 0; p < 12; ++p)
      for (int q = 0; q < 4; ++q)
        s[p * 4 + q] = mad(x[q], y[p], s[p * 4 + q]);
  }
  for (int k = 0; k < 12; ++k)
    c[i * 12 + k] = vload4(k, s);
}

__kernel void smaller(__global const float4 *a, __global float4 *c, int n) {
  int i = get_global_id(0);
  float s[16]; // miss: 16 and the vectors
  for (int k = 0; k < 16; ++k)
    s[k] = 0.0f;
  for (int t = 0; t < n; ++t) {
    float4 u = a[t * 4 + i];
    float x[4] = {u.x, u.y, u.z, u.w};
    for (int p = 0; p < 4; ++p)
      for (int q = 0; q < 4; ++q)
        s[p * 4 + q] = mad(x[q], x[p], s[p * 4 + q]);
  }
  for (int k = 0; k < 4; ++k)
    c[i * 4 + k] = vload4(k, s);
}
