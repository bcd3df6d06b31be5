// The licence.
__kernel void add(__global const T *a, __global T *b, int n) {
  int i = get_global_id(0);
  if (i < n)
    b[i] += a[i] * STEP;
}

__kernel void scale(__global T *x, T f) { x[get_global_id(0)] *= f; }

__kernel void alone(__global T *x) { x[get_global_id(0)] = 1; }
