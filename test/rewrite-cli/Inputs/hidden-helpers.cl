float gain(float v, float by) { return v * by + by * 0.5f - 1.0f; }
float twice(float v) { return gain(v, 2.0f) + gain(v, 3.0f); }
__attribute__((overloadable)) float bent(float v) { return v * v * 0.25f + v; }
__attribute__((overloadable)) float bent(int v) { return v * 0.5f - 3.0f + v; }

__kernel void levels(__global const float *in, __global float *out, float gain, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = twice(in[i]) * gain + bent(in[i]) + bent(i);
}
