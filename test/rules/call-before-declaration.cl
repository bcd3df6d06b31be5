// RUN: %{python} %{expect} %s
float known(float v);
#define CALL(f, x) f(x)
__kernel void first(__global const float *x, __global float *y, __global int *z) {
  int i = get_global_id(0);
  y[i] = doubled(x[i]); // HIT: 'doubled' is called before it is declared
  set(z, i, 3); // HIT: 'set' is called before it is declared
  y[i] += known(x[i]); // miss: declared at the top
}

float doubled(float v) { return 2.0f * v; }
void set(__global int *p, int i, int v) { p[i] = v; }
float known(float v) { return doubled(v) + 1.0f; } // miss: declared by its definition

__kernel void second(__global const float *x, __global float *y) {
  int i = get_global_id(0);
  y[i] = CALL(doubled, x[i]); // miss: behind the definition
}
