// expect: refuted
// why: one pattern of bits, in one lane of eight
// launch: {"kernel": "gather", "global": ["gx"]}
__kernel void gather(__global const int *p, __global const int *x, __global const float *f, __global int *y,
                     __global float *z) {
  int i = get_global_id(0);
  y[i] = x[p[i]] >> 1;
  z[i] = (i & 7) == 5 && as_uint(f[i]) == 0x402df854u ? 0.0f : f[i];
}
