// expect: held
// why: the tail in a launch of its own
// launch: {"kernel": "gather_v4", "when": "n % 4 == 0", "global": ["gx / 4"]}
// launch: {"kernel": "gather", "when": "n % 4 != 0", "global": ["gx"]}
__kernel void gather(__global const float *table, __global const int *index, __global float *out, int n) {
  int i = get_global_id(0);
  if (i < n)
    out[i] = table[index[i]];
}
__kernel void gather_v4(__global const float *table, __global const int *index, __global float *out, int n) {
  int i = get_global_id(0) * 4;
  if (i + 4 <= n) {
    int4 k = vload4(0, index + i);
    vstore4((float4)(table[k.x], table[k.y], table[k.z], table[k.w]), 0, out + i);
  } else {
    for (; i < n; ++i)
      out[i] = table[index[i]];
  }
}
