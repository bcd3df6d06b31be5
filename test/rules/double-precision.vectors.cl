// RUN: %{python} %{expect} %s
// Clang rejects a double operand with a vector of floats; other compilers accept it.
__kernel void halved(__global float4 *data) {
  int i = get_global_id(0);
  data[i] = data[i] * 0.5; // HIT: the literal makes this float operation double
}

__kernel void halved_in_float(__global float4 *data) {
  int i = get_global_id(0);
  data[i] = data[i] * 0.5f; // miss: a float literal
}
