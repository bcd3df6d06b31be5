// RUN: %{python} %{expect} %s
__kernel void edge(__global const float4 *in, __global float *out, int n) {
  int i = get_global_id(0);
  float4 v = in[i];
  if (4 * i + 4 <= n) {
    vstore4(v, i, out);
  } else {
    float part[4] = {v.x, v.y, v.z, v.w};
    for (int k = 4 * i; k < n; ++k)
      out[k] = part[k - 4 * i]; // miss: the rest of what the other branch stores by vectors
  }
}

__kernel void in_steps(__global const float *in, __global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0.0f;
  for (int q = 0; q < n; ++q)
    for (int r = 0; r < n; ++r) {
      float row[16];
      int k = 0;
      for (; k + 8 <= 16; k += 8)
        row[k] = row[k + 1] = in[r * 16 + k]; // miss: two rounds
      for (; k < 16; ++k)
        row[k] = in[r * 16 + k];
      sum += row[3];
    }
  out[i] = sum;
}

__kernel void everywhere(__global const float4 *in, __global float *out, int n) {
  int i = get_global_id(0);
  float4 v = in[i];
  float part[4] = {v.x, v.y, v.z, v.w};
  for (int k = 4 * i; k < min(4 * i + 4, n); ++k)
    out[k] = part[k - 4 * i]; // HIT: the private array 'part'
}
