// expect: any
// One pointer stays in its row, the other runs over all of them.
float total(__local const float *p, int n) {
  float s = 0.0f;
  for (int q = 0; q < n; q++)
    s += p[q];
  return s;
}
__kernel void flat_over_rows(__global const float *a, __global float *out) {
  __local float t[16][16];
  int l = get_local_id(0), g = get_global_id(0);
  for (int q = 0; q < 16; q++)
    t[q][l] = a[(g - l) * 16 + q * 16 + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = total(t[l], 16) + total(&t[0][0] + l, 200);
}
