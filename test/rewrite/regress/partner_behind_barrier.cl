// expect: any
// Both elements are loaded before the barrier, and after it one of the partners writes each: an
// unconditional store would be a race.
__kernel void partner_behind_barrier(__global int *a, __global const int *f, __global const float *c,
                                     __global float *out) {
  int g = get_global_id(0);
  int x = a[g ^ 1], y = a[g];
  out[g] = c[4 * g] + c[4 * g + 1] * 2.0f + c[4 * g + 2] + c[4 * g + 3];
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (f[g] & 1)
    a[g ^ 1] = x + 1;
  if (!(f[g ^ 1] & 1))
    a[g] = y + 2;
}
