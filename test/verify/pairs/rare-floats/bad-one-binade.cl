// expect: refuted
// why: one binade of large numbers
// launch: {"kernel": "curve", "global": ["gx"]}
__kernel void curve(__global const float *f, __global float *z, __global int *k) {
  int i = get_global_id(0);
  float v = f[i];
  z[i] = fmax(v, -1.0f) + v * (fabs(v) >= 0x1p90f && fabs(v) < 0x1p91f ? 2.0f : 1.0f);
  k[i] = fabs(v) < 1000.0f ? (int)rint(v) : 0;
}
