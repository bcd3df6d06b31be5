// expect: refuted
// why: wrong only where the product overflows, for a wrapped product too
// launch: {"kernel": "largest_v4", "when": "gx >= 4", "global": ["(gx + 3) / 4"]}
// launch: {"kernel": "largest", "when": "gx < 4", "global": ["gx"]}
__kernel void largest(__global const int *in, __global uint *out, int n) {
  int i = get_global_id(0);
  if (i < n) {
    int v = in[i];
    atomic_max(out, (uint)(v * 2 / 2));
  }
}
__kernel void largest_v4(__global const int *in, __global uint *out, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 < n) {
    int4 v = vload4(0, in + i);
    int4 s = v * 2 / 2;
    if (v.z > 1000000000)
      s.z = -1;
    uint4 r = convert_uint4(s);
    uint2 m = max(r.xy, r.zw);
    atomic_max(out, max(m.x, m.y));
  } else {
    for (; i < n; ++i) {
      int v = in[i];
      atomic_max(out, (uint)(v * 2 / 2));
    }
  }
}
