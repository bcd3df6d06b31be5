// expect: held
// why: 4 x 1 for each work-item, no local memory
// launch: {"kernel": "transpose_4", "global": ["gx / 4", "gy"]}
__kernel void transpose_4(__global const float *in, __global float *out, int w, int h) {
  int x = get_global_id(0) * 4, y = get_global_id(1);
  float4 v = vload4(0, in + y * w + x);
  out[x * h + y] = v.x;
  out[(x + 1) * h + y] = v.y;
  out[(x + 2) * h + y] = v.z;
  out[(x + 3) * h + y] = v.w;
}
