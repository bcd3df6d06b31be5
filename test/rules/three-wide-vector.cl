// RUN: %{python} %{expect} %s
__kernel void multiply(__global float *x, float3 k) {
  int i = get_global_id(0);
  vstore3(vload3(i, x) * k, i, x); // HIT: 75 % efficiency
}

__kernel void call(__global float *x) {
  int i = get_global_id(0);
  vstore3(fabs(vload3(i, x)), i, x); // HIT: vectors of three components
}

__kernel void four(__global float *x, float4 k) {
  int i = get_global_id(0);
  vstore4(vload4(i, x) * k, i, x); // miss: four components
}

__kernel void copy(__global float *x, __global float *y) {
  int i = get_global_id(0);
  vstore3(vload3(i, x), i, y); // miss: nothing is computed
}

__kernel void scalar(__global float *x) {
  x[3 * get_global_id(0)] *= 2.0f; // miss: scalars
}

__kernel void between(__global const float4 *a, __global const float4 *b, __global float *out) {
  int i = get_global_id(0);
  out[i] = distance(a[i].xyz, b[i].xyz); // HIT: vectors of three components
}

__kernel void between_fours(__global const float4 *a, __global const float4 *b, __global float *out) {
  int i = get_global_id(0);
  out[i] = distance(a[i], b[i]); // miss: four components
}

__kernel void inside(__global float *x, int3 size, float3 k) {
  int3 p = (int3)(get_global_id(0), get_global_id(1), get_global_id(2));
  if (any(p >= size)) // miss: a test
    return;
  x[p.x] = dot(k, (float3)(1.0f, 2.0f, 3.0f)); // HIT(mali-midgard): it computes with vectors of three components
}

float3 bent(float3 v) { return v * 2.0f; } // HIT: it computes with vectors of three components

float4 bent_four(float4 v) { return v * 2.0f; } // miss: four components

__kernel void in_functions(__global float *x, __global float4 *y) {
  int i = get_global_id(0);
  y[i] = bent_four(y[i]);
  vstore3(bent(vload3(i, x)) + bent(vload3(i + 1, x)), i, x); // HIT: it computes with vectors of three components
}

__kernel void in_functions_only(__global float *x) {
  int i = get_global_id(0);
  vstore3(bent(vload3(i, x)), i, x); // miss: reported in the function
}
