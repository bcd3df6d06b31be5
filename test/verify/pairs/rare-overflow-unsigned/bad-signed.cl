// expect: refuted
// why: the product overflows where the original wraps
// launch: {"kernel": "wrapped_v4", "global": ["(gx + 3) / 4"]}
__kernel void wrapped_v4(__global const int *in, __global uint *out, int n) {
  int i = get_global_id(0) * 4;
  if (i + 3 < n) {
    int4 v = vload4(0, in + i);
    int4 square = (int4)(v.x * v.x, v.y * v.y, v.z * v.z, v.w * v.w);
    vstore4((uint4)(square.x % 7, square.y % 7, square.z % 7, square.w % 7), 0, out + i);
  } else {
    for (; i < n; ++i) {
      int square = (int)((uint)in[i] * (uint)in[i]);
      out[i] = (uint)(square % 7);
    }
  }
}
