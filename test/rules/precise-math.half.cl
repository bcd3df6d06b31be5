// RUN: %{python} %{expect} %s
// Where the host chooses the type, it may be half, of which there is no native function.

__kernel void chosen(__global REAL *x) {
  int i = get_global_id(0);
  REAL v = x[i];
  x[i] = exp(v * v); // HIT(powervr-rogue): exp is computed precisely
}

__kernel void native(__global REAL *x) {
  int i = get_global_id(0);
  x[i] = native_exp((float)x[i]); // miss: the fast form already
}
