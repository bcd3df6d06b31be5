// expect: refuted
// why: the index is narrowed to 8 bits
// launch: {"kernel": "gather_v4", "global": ["gx / 4"]}
__kernel void gather_v4(__global const float *table, __global const int *index, __global float *out, int n) {
  int i = get_global_id(0) * 4;
  if (i + 4 <= n) {
    int4 k = convert_int4(convert_uchar4(vload4(0, index + i)));
    vstore4((float4)(table[k.x], table[k.y], table[k.z], table[k.w]), 0, out + i);
  } else {
    for (; i < n; ++i)
      out[i] = table[index[i]];
  }
}
