// RUN: not clmali-lint --device=powervr --checks=-*,divergent-branch --fail-on=info %s
// RUN: clmali-lint --device=powervr --checks=-*,divergent-branch --fail-on=info --option=divergent-branch.RegisterBytes=8 %s
// An array of 16 bytes, in registers or not.
__kernel void parts(__global float *x) {
  int i = get_global_id(0);
  float part[4];
  for (int k = 0; k < 4; ++k)
    part[k] = x[4 * i + k];
  if (i & 1)
    part[1] = -2.0f * part[1] + 1.0f;
  for (int k = 0; k < 4; ++k)
    x[4 * i + k] = part[k];
}
