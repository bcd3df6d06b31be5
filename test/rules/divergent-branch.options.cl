// RUN: not clmali-lint --device=powervr --checks=-*,divergent-branch %s
// RUN: not clmali-lint --device=powervr --checks=-*,divergent-branch --option=divergent-branch.SpeculatedOperations=7 %s
// RUN: clmali-lint --device=powervr --checks=-*,divergent-branch --option=divergent-branch.SpeculatedOperations=8 %s
// RUN: clmali-lint --device=powervr --checks=-*,divergent-branch --option=divergent-branch.FewStatements=0 %s
// A warning by default, and information with each of the options.
__kernel void inverse(__global float *x) {
  int i = get_global_id(0);
  float v = x[i];
  if (i & 1)
    v = 1.0f / v;
  x[i] = v;
}
