#define WIDTH %(width)d
__kernel void scale_%(kind)s(__global float *x) {
  int i = get_global_id(1) * WIDTH + get_global_id(0);
  x[i] = x[i] * %(factor)f;
}
