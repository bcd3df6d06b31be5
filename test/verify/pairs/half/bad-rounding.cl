// expect: refuted
// why: rounded to nearest, not toward zero
// launch: {"kernel": "blend_v4", "global": ["gx / 4"]}
__kernel void blend_v4(__global const half *a, __global half *out, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 < n) {
    vstore_half4(vload_half4(0, a + i) * 0.3f, 0, out + i);
  } else {
    for (int k = i; k < n && k < i + 4; ++k)
      vstore_half_rtz(vload_half(k, a) * 0.3f, k, out);
  }
}
