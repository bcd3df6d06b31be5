// expect: not-held
// why: loads four and uses one: the last work-items read past the end, at sizes beyond the simulator
// only: guard-pages
// launch: {"kernel": "f", "global": ["gx"]}
__kernel void f(__global const float *x, __global float *y) {
  int i = get_global_id(0);
  y[i] = -vload4(0, x + i).x;
}
