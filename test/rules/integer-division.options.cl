// RUN: %{python} %{expect} %s --no-balance --option=integer-division.CostlyCycles=99
// RUN: not clmali-lint --device=mali-t604 --checks=-*,integer-division %s
// RUN: clmali-lint --device=mali-t604 --checks=-*,integer-division --option=integer-division.ManyAccesses=1 %s
// Without a figure for a division, on every family.
__kernel void rows(__global int *row, int width) {
  int i = get_global_id(0);
  row[i] = i / width; // HIT: a sequence of instructions
}
