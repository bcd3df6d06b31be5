#define WIDTH %(width)d
__kernel void scale_%(kind)s(__global float *x) {
  int i = get_global_id(1) * WIDTH + get_global_id(0);
  x[i] = x[i] * %(factor)f;
}
__kernel void stacked(__global float *x, int n) {
  float stack[%depth%];
  stack[n %2] = 1;
  x[get_global_id(0)] = stack[n % 2];
}
__kernel void unrolled(__global float *x, int n) {
  float sum = 0.0f;
  %unroll%
  for (int k = 0; k < 4; ++k)
    sum += x[get_global_id(0) + k];
  x[get_global_id(0)] = sum;
}
