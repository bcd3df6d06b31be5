// expect: refuted
// why: the root of a square that overflows
// launch: {"kernel": "curve", "global": ["gx"]}
__kernel void curve(__global const float *f, __global float *z, __global int *k) {
  int i = get_global_id(0);
  float v = f[i];
  z[i] = fmax(v, 0.0f) + (fabs(v) > 0x1p-60f ? copysign(sqrt(v * v), v) : v);
  k[i] = fabs(v) < 1000.0f ? (int)rint(v) : 0;
}
