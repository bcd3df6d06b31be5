// RUN: not clmali-lint --device=mali --fail-on=info --checks=-*,manual-dot %s
// RUN: clmali-lint --device=mali --fail-on=info --checks=-*,manual-dot --option=manual-dot.MaxSmallArray=8 %s
// An element of a private array of eight: memory, unless arrays of eight elements count as vectors.
__kernel void element_of_an_array(__global const float *a, __global const float *b, __global const float4 *v, __global float4 *out, int n) {
  int i = get_global_id(0);
  float row[8], sum = 0.0f;
  for (int k = 0; k < n; ++k)
    row[k & 7] = a[i * n + k];
  for (int k = 0; k < n; ++k)
    sum += row[5] * b[k];
  out[i] = v[i] * sum;
}
