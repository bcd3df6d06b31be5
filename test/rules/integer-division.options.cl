// RUN: %{python} %{expect} %s --no-balance
// RUN: not clmali-lint --device=mali-t604 --checks=-*,integer-division %s
// RUN: clmali-lint --device=mali-t604 --checks=-*,integer-division --option=integer-division.LeastShare=99 %s
__kernel void rows(__global int *row, int width) {
  int i = get_global_id(0);
  row[i] = i / width; // HIT: the quotient of two integers
}
