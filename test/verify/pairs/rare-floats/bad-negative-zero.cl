// expect: refuted
// why: a zero below zero becomes one above
// launch: {"kernel": "curve", "global": ["gx"]}
__kernel void curve(__global const float *f, __global float *z, __global int *k) {
  int i = get_global_id(0);
  float v = f[i];
  z[i] = (v == 0.0f ? 0.0f : fmax(v, -1.0f) + v);
  k[i] = fabs(v) < 1000.0f ? (int)rint(v) : 0;
}
