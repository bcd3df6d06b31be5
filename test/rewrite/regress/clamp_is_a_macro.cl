// expect: held
// The file's clamp takes its arguments in another order, so the built-in cannot be written.
#define clamp(lo, x, hi) ((x) < (lo) ? (lo) : (x) > (hi) ? (hi) : (x))
__kernel void clamp_is_a_macro(__global const int *a, __global int *out) {
  int i = get_global_id(0);
  int v = a[i];
  if (v < 0)
    v = 0;
  if (v > 255)
    v = 255;
  out[i] = v + clamp(3, a[i], 9);
}
