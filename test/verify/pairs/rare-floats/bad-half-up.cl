// expect: refuted
// why: halves are rounded up, not to even
// launch: {"kernel": "curve", "global": ["gx"]}
__kernel void curve(__global const float *f, __global float *z, __global int *k) {
  int i = get_global_id(0);
  float v = f[i];
  z[i] = fmax(v, -1.0f) + v;
  k[i] = fabs(v) < 1000.0f ? (int)floor(v + 0.5f) : 0;
}
