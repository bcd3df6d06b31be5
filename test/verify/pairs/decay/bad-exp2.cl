// expect: refuted
// why: exp2 with a rounded factor
// launch: {"kernel": "decay_v4", "global": ["gx / 4"]}
__kernel void decay_v4(__global const float *t, __global float *y, int n) {
  int i = get_global_id(0) * 4;
  if (i + 4 <= n) {
    float4 v = vload4(0, t + i);
    vstore4((float4)(exp2(-v.x * 1.44269504f), exp(-v.y), exp(-v.z), exp(-v.w)), 0, y + i);
  } else {
    for (; i < n; ++i)
      y[i] = exp(-t[i]);
  }
}
