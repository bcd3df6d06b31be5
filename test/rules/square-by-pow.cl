// RUN: %{python} %{expect} %s
// RUN: clmali-lint --no-cache --device=mali --checks=-*,square-by-pow --fail-on=error --option=square-by-pow.MaxExponent=3 %s | FileCheck %s
__kernel void powers(__global float *x, int n) {
  int i = get_global_id(0);
  x[i] = pow(x[i], 2.0f);       // HIT: pow with a constant exponent
  x[i] += pown(x[i], 2);        // HIT: pown with a constant exponent
  x[i] += pow(x[i], (float)n);  // miss: the exponent is not a constant
  x[i] += pow(2.0f, x[i]);      // miss: the base is
  x[i] += pow(x[i], 2.5f);      // miss: no whole number
  x[i] += pown(x[i], 3);        // miss: more than MaxExponent
}
// CHECK: :10:{{.*}}pown with a constant exponent
