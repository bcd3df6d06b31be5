#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
__kernel void first(__global float *x) {
  int i = get_global_id(0);
  x[i] = x[i] + 1.0f;
}

__kernel void limit(__global int *x) {
  int i = get_global_id(0);
  int v = x[i];
  x[2 * i] = MAX(v, 1) + v; // NOLINT(clmali-manual-clamp)
  x[i] = MAX(MIN(v, 255), 0); // twelve
  x[i] = MAX(MIN(v, 127), 0); // NOLINT
}

__kernel void race(__global int *x, int n) {
  int i = get_global_id(0);
  if (i >= n - 1) {
    x[i] = 1;
    return;
  }
  x[i + 1] = i;
}
