// RUN: %{python} %{expect} %s --no-balance --option=divergent-branch.NearStatements=0
// Branches that only choose are one finding each where none counts as near.
__kernel void corners(__global int *at, int width) {
  int i = get_global_id(0);
  int x = at[i];
  if (x < 0) // HIT: a short branch
    x = 0;
  if (x > width) // HIT: a short branch
    x = width;
  at[i] = x;
}
