// RUN: %{python} %{expect} %s
// Each function of a kernel in which much is computed is a place to look at.

float wave(float x) {
  float s = 0.0f;
  for (int k = 0; k < 32; ++k)
    s += x * x * k - s * 0.5f; // HIT(mali-midgard): the work here, too, is done on single 32-bit values
  return s;
}
float decay(float x) {
  return x * x - 3.0f * x * x * x + x / (x + 2.0f) - x * (x + 1.0f) * (x - 1.0f) + // HIT(mali-midgard): the work here, too, is done on single 32-bit values
         5.0f * x * (x + 7.0f) - (x + 4.0f) * (x - 4.0f) + 2.0f * x * (x + 3.0f);
}
float little(float x) {
  return x + 1.0f; // miss: next to nothing
}
float4 wide(float4 x) {
  return x * x + 3.0f * x; // miss: whole vectors
}
__kernel void by_functions(__global const float *in, __global float *out, __global float4 *more, int n) {
  int i = get_global_id(0);
  float s = 0.0f;
  for (int k = 0; k < n; ++k)
    s += decay(in[i + k]); // HIT(mali-midgard): operations compute on single 32-bit values
  out[i] = wave(in[i]) + s + little(s); // miss: reported at the loop
  more[i] = wide(more[i]); // miss: by whole vectors
}

__kernel void all_alike(__global const int *in, __global int *out, int n) {
  int most = 0;
  for (int k = 0; k < n; ++k)
    if (in[k] > most) // miss: the same for all work-items
      most = in[k];
  out[get_global_id(0)] = most;
}

// The store's address is unknown; the stored value is known.
__kernel void into_nothing(__global const float *a, __global const float *b, __global float *result, int n) {
  int i = get_global_id(0);
  result = 0;
  for (int k = 0; k < n; ++k)
    result[i] += a[k * n + i] * b[k]; // HIT(mali-midgard): 2 operations compute on single 32-bit values
}

__kernel void copied_into_nothing(__global const float *a, __global float *result) {
  int i = get_global_id(0);
  result = 0;
  result[i] = a[i]; // miss: nothing is computed
}
