// The percentage of registers-noted that variables and arrays together must exceed.
// RUN: %{python} %{expect} %s
// RUN: not clmali-lint --device=powervr --checks=-*,register-pressure --fail-on=info %s
// RUN: clmali-lint --device=powervr --checks=-*,register-pressure --fail-on=info --option=register-pressure.ArrayPercent=1000 %s
__kernel void array_and_values(__global float4 *x) {
  float sums[32]; // HIT(powervr-rogue): its variables and arrays take about
  int i = 5 * get_global_id(0);
  for (int k = 0; k < 32; ++k)
    sums[k] = 0.0f;
  float4 a = x[i], b = x[i + 1], c = x[i + 2], d = x[i + 3];
  for (int k = 0; k < 32; ++k)
    sums[k] += dot(a, b) * k + dot(c, d);
  x[i] = a * sums[0] + b * sums[5] + c * sums[9] + d * sums[31];
}

__kernel void small_array(__global float4 *x) { // miss: the array fits beside the variables
  float sums[4];
  int i = 5 * get_global_id(0);
  for (int k = 0; k < 4; ++k)
    sums[k] = 0.0f;
  float4 a = x[i], b = x[i + 1];
  for (int k = 0; k < 4; ++k)
    sums[k] += dot(a, b) * k;
  x[i] = a * sums[0] + b * sums[3];
}
